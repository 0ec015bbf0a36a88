import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type ChargeReply, type SettlementResult } from '#contracts';
import { ledgerRuns, numbersFrom } from '#testing';
import { moveClock } from '../histories/play-on-postgres.fixture.js';
import { type Customer, times, useAuditedLedger } from '../ledger.fixture.js';
import { OverdueChargesStep } from './overdue-charges.step.js';
import { ChargeService } from './charge.service.js';

const customersCount = 20;
const copiesMax = 5;
/** Messages under way at once. */
const windowSize = 256;
const hourMs = 3_600_000;
const { runs, seed } = ledgerRuns(120);

interface Hold {
  readonly id: string;
  readonly owner: Customer;
  readonly credits: number;
}

type Result = SettlementResult['result'] | undefined;
type Answer =
  | { readonly message: 'charge'; readonly reply: ChargeReply }
  | { readonly message: 'posted' | 'voided'; readonly reply: Result };

interface Delivery {
  readonly hold: Hold;
  readonly message: Answer['message'];
  readonly replica: number;
}

interface Stored {
  readonly id: string;
  readonly end: 'posted' | 'refused' | 'given_up' | 'timed_out';
  readonly credits: number;
  readonly credits_remaining: number;
  readonly is_late: boolean;
}

const ledger = useAuditedLedger();

/** The only answers to a post and a void of a charge with this end; without a charge there is a tombstone. */
const settledAs: Record<Stored['end'] | 'tombstone', Record<'posted' | 'voided', Result>> = {
  posted: { posted: 'posted', voided: 'already_posted' },
  refused: { posted: 'voided', voided: 'voided' },
  given_up: { posted: 'voided', voided: 'voided' },
  timed_out: { posted: 'expired', voided: 'voided' },
  tombstone: { posted: 'voided', voided: 'voided' },
};

/** Too few credits for all of the holds, in two lots each, so that some are refused and some go over both lots. */
async function openHolds(count: number, random: (below: number) => number): Promise<Hold[]> {
  const credits = Math.ceil((count / customersCount) * 0.8);
  const customers = await Promise.all(
    times(customersCount, async () => {
      const customer = await ledger.customer(1);
      await ledger.factory.lot({ accountId: customer.accountId, credits });
      return customer;
    }),
  );
  return times(count, () => {
    const owner = customers[random(customersCount)];
    if (!owner) throw new Error('no such customer');
    return { id: randomUUID(), owner, credits: random(4) };
  });
}

/** Each message 1 to 5 times, out of order: copies arrive soon after the first one or many holds later. */
function deliveriesOf(holds: readonly Hold[], random: (below: number) => number): Delivery[] {
  const lateMax = [2, 50, holds.length][random(3)] ?? 2;
  const settlements = [['posted'], ['posted'], ['voided'], ['voided'], ['posted', 'voided'], []] as const;
  const timed = holds.flatMap((hold, number) =>
    (['charge', ...(settlements[random(settlements.length)] ?? [])] as const).flatMap((message) =>
      times(1 + random(copiesMax), () => ({
        at: number + random(lateMax),
        delivery: { hold, message, replica: random(4) },
      })),
    ),
  );
  return timed.sort((one, other) => one.at - other.at).map(({ delivery }) => delivery);
}

/** Delivers all while two sweeps run; only a charge that was answered is posted. `progress` hears how many are over. */
async function deliver(
  all: readonly Delivery[],
  answers: Map<Hold, Answer[]>,
  progress: (count: number) => void = () => undefined,
): Promise<void> {
  const others = await Promise.all([ledger.anotherReplica(), ledger.anotherReplica()]);
  const replicas = [...ledger.replicas, ...others.map((replica) => replica.get(ChargeService))];
  const queue = [...all];
  let done = 0;
  const runWorker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { hold, message, replica } = next;
      const service = replicas[replica] ?? ledger.replicas[0];
      const known = answers.get(hold) ?? [];
      if (message === 'posted' && !known.some((one) => one.message === 'charge')) {
        queue.push(next);
        await turn();
        continue;
      }
      const answer: Answer =
        message === 'charge'
          ? { message, reply: (await hold.owner.charge(service, hold.credits, hold.id)).reply }
          : { message, reply: await hold.owner.settle(service, hold.id, message) };
      answers.set(hold, [...(answers.get(hold) ?? []), answer]);
      progress((done += 1));
    }
  };
  let isOver = false;
  const runSweep = async (): Promise<void> => {
    while (!isOver) await ledger.get(OverdueChargesStep).run(3);
  };
  const delivered = Promise.all(times(windowSize, runWorker)).finally(() => (isOver = true));
  await Promise.all([delivered, runSweep(), runSweep()]);
}

async function storedHolds(holds: readonly Hold[]): Promise<Map<string, Stored>> {
  const rows = await ledger.query<Stored>(
    `SELECT id, COALESCE(void_reason, state) AS end, credits, credits_remaining::integer, settled_at >= pending_until AS is_late
     FROM charges WHERE id = ANY($1::uuid[])`,
    [holds.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Every answer about one hold is that of its end. */
function checkAnswers(answers: readonly Answer[], stored: Stored | undefined): void {
  const end = stored?.end ?? 'tombstone';
  const opening =
    end === 'refused'
      ? {
          outcome: 'insufficient_credits',
          credits_needed: stored?.credits,
          credits_remaining: stored?.credits_remaining,
        }
      : { outcome: 'charged', credits_used: stored?.credits, credits_remaining: stored?.credits_remaining };
  const mayBeVoided = ['tombstone', 'given_up', 'timed_out'].includes(end);
  for (const { message, reply } of answers) {
    if (message !== 'charge') {
      expect({ end, message, reply }).toEqual({ end, message, reply: settledAs[end][message] });
    } else if (mayBeVoided && (!stored || reply.outcome === 'voided')) {
      expect(reply).toEqual({ outcome: 'voided' });
    } else expect(reply).toEqual(opening);
  }
}

describe('messages that are delivered up to 5 times, out of order, to 4 replicas, while sweeps run', () => {
  it.each<[string, readonly number[]]>([
    ['stands still', [0]],
    ['passes the time-out', [0, 0, 0, 29_998, 29_999, 30_000, 30_001, 30_002]],
    ['is put back by 2 seconds and by an hour', [0, 20_000, 31_000, 29_000, 31_000, 31_000 - hourMs, 31_000]],
  ])(
    'are applied once and all get the answer of one end, while the clock %s',
    async (what, places) => {
      const random = numbersFrom(seed);
      const startAt = Date.UTC(2026, 0, 1);
      await ledger.factory.setClock(new Date(startAt));
      const holds = await openHolds(runs, random);
      const all = deliveriesOf(holds, random);
      const moves: Promise<void>[] = [];
      const answers = new Map<Hold, Answer[]>();
      await deliver(all, answers, (count) => {
        const [before, now] = [count - 1, count].map((n) =>
          Math.floor((n * places.length) / (all.length + 1)),
        );
        if (now !== before) moves.push(moveClock(ledger, startAt + (places[now ?? 0] ?? 0)));
      });
      await Promise.all(moves);
      await moveClock(ledger, startAt + 2 * hourMs);
      while ((await ledger.get(OverdueChargesStep).run(500)) > 0);

      const stored = await storedHolds(holds);
      for (const { end, is_late } of stored.values()) {
        expect({ end, is_late }).toEqual({ end, is_late: end === 'timed_out' });
      }
      await deliver(
        all.filter(({ message }) => message !== 'charge'),
        answers,
      );
      for (const [hold, later] of answers) checkAnswers(later, stored.get(hold.id));
      expect(await storedHolds(holds)).toEqual(stored);

      const ends = [...stored.values()].map(({ end }) => end);
      const counts = [...new Set(ends)]
        .sort()
        .map((end) => `${end} ${ends.filter((one) => one === end).length}`);
      process.stdout.write(
        `duplicates, clock ${what}: ${holds.length} holds in ${all.length} deliveries: ${counts.join(', ')}; LEDGER_SEED=${seed}\n`,
      );
    },
    3_600_000,
  );
});
