import { type ChargeReply, type ChargeState, type SettlementResult } from '@app/contracts';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { ChargeService } from '../charges/charge.service.js';
import { customers, rounds, type Delivery, type Hold, type Round } from './deliveries.fixture.js';
import { useAuditedLedger, type Customer } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { expectNothingLost } from './ledger-sums.fixture.js';

const { runs, seed } = ledgerRuns(500);
const replicasMax = 4;
const roundSize = Math.min(1_000, Math.ceil(runs / replicasMax));
/** Messages under way at once. */
const windowSize = 256;
/** Too few for all: some holds are refused. */
const creditsEach = Math.ceil((roundSize / customers) * 0.8);

const ledger = useAuditedLedger();

/** One answered delivery; the ticks order what was sent and answered. */
interface Answered {
  readonly delivery: Delivery;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly reply: ChargeReply | SettlementResult['result'] | undefined;
}

/** What the ledger has written down about a hold. */
interface Stored {
  readonly id: string;
  readonly state: ChargeState;
  readonly credits: number;
  readonly credits_remaining: number;
}

const totals = { holds: 0, deliveries: 0, charged: 0, refused: 0, voided: 0, early: 0, injected: 0, hits: 0 };
let doubleCharges = 0;

/** Delivers a round through a window; a post whose charge is not answered yet waits for that, as in a gateway. */
class Deliveries {
  readonly answered: Answered[] = [];
  private readonly released: Delivery[] = [];
  private readonly held = new Map<string, Delivery[]>();
  private readonly charged = new Set<string>();
  private position = 0;
  private tick = 0;

  constructor(
    private readonly round: Round,
    private readonly people: Customer[],
    private readonly services: ChargeService[],
  ) {}

  async run(): Promise<Answered[]> {
    const worker = async () => {
      for (let next = this.next(); next; next = this.next()) await this.deliver(next);
    };
    await Promise.all(Array.from({ length: windowSize }, worker));
    return this.answered;
  }

  private next(): Delivery | undefined {
    const released = this.released.pop();
    if (released) return released;
    for (;;) {
      const next = this.round.deliveries[this.position++];
      if (next?.message !== 'posted' || this.charged.has(next.hold.chargeId)) return next;
      this.held.set(next.hold.chargeId, [...(this.held.get(next.hold.chargeId) ?? []), next]);
    }
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const { hold, message, replica } = delivery;
    const customer = this.people[hold.customer];
    const service = this.services[replica];
    if (!customer || !service) throw new Error('a delivery to nobody');
    const sentAt = this.tick++;
    const reply =
      message === 'charge'
        ? (await customer.charge(service, hold.credits, hold.chargeId)).reply
        : await customer.settle(service, hold.chargeId, message);
    this.answered.push({ delivery, sentAt, answeredAt: this.tick++, reply });
    if (message !== 'charge') return;
    this.charged.add(hold.chargeId);
    this.released.push(...(this.held.get(hold.chargeId) ?? []));
    this.held.delete(hold.chargeId);
  }
}

/** More replicas than the fixture has, each with connections of its own. */
async function withReplicas(count: number, work: (services: ChargeService[]) => Promise<void>) {
  const sources = await Promise.all(
    Array.from({ length: count }, () => new DataSource(ledger.dataSource.options).initialize()),
  );
  try {
    const replicas = await Promise.all(
      sources.map((source) => ledger.anotherReplica(source, defaultLedgerOptions)),
    );
    await work(replicas.map((replica) => replica.get(ChargeService)));
  } finally {
    await Promise.all(sources.map((source) => source.destroy()));
  }
}

async function richPeople(): Promise<Customer[]> {
  const people = Array.from({ length: customers }, async () => {
    const customer = await ledger.customer(1);
    await ledger.factory.lot({ accountId: customer.accountId, credits: creditsEach - 1 });
    return customer;
  });
  return Promise.all(people);
}

/** Settlements are answered by the end the charge came to; without a charge there is a tombstone. */
function settlementAnswer(stored: Stored | undefined, message: Delivery['message']) {
  if (stored?.state !== 'posted') return 'voided';
  return message === 'posted' ? 'posted' : 'already_posted';
}

/** What a charge was answered when it was new. */
function opening({ state, credits, credits_remaining }: Stored): ChargeReply {
  return state === 'refused'
    ? { outcome: 'insufficient_credits', credits_needed: credits, credits_remaining }
    : { outcome: 'charged', credits_used: credits, credits_remaining };
}

/** Every answer about one hold is the stored one; it turns to `voided` once, and not before a void was sent. */
function expectOneOutcome(answers: Answered[], stored: Stored | undefined): void {
  const isVoid = ({ delivery, reply }: Answered) =>
    reply === 'voided' || (delivery.message === 'charge' && isVoided(reply));
  const canTurn = stored === undefined || stored.state === 'voided';
  const voidsSentAt = answers.filter((one) => one.delivery.message === 'voided').map((one) => one.sentAt);
  const voidSentAt = Math.min(...voidsSentAt);
  const voidSeenAt = Math.min(...answers.filter(isVoid).map((one) => one.answeredAt));
  for (const { delivery, reply, sentAt, answeredAt } of answers) {
    if (delivery.message !== 'charge') {
      expect(reply).toBe(settlementAnswer(stored, delivery.message));
    } else if (canTurn && (!stored || isVoided(reply))) {
      expect(reply).toEqual({ outcome: 'voided' });
      expect(answeredAt).toBeGreaterThan(voidSentAt);
    } else {
      expect(reply).toEqual(stored && opening(stored));
      if (canTurn) expect(sentAt).toBeLessThan(voidSeenAt);
    }
  }
}

function isVoided(reply: Answered['reply']): boolean {
  return typeof reply === 'object' && reply.outcome === 'voided';
}

/** Entries that are there twice, and charges that took more than once what they cost. */
async function countDoubleCharges(): Promise<number> {
  const [row] = await ledger.query<{ doubles: number }>(`
    SELECT (
      (SELECT count(*) FROM (
        SELECT FROM ledger_entries WHERE charge_id IS NOT NULL
        GROUP BY charge_id, lot_id, type HAVING count(*) > 1
      ) AS twice) +
      (SELECT count(*) FROM (
        SELECT FROM ledger_entries AS entries JOIN charges ON charges.id = entries.charge_id
        WHERE entries.type = 'charge'
        GROUP BY charges.id, charges.credits HAVING -sum(entries.credits) > charges.credits
      ) AS dear)
    )::integer AS doubles`);
  return row?.doubles ?? -1;
}

async function storedCharges({ holds }: Round): Promise<Map<string, Stored>> {
  const rows = await ledger.query<Stored>(
    `SELECT id, state, credits, credits_remaining::integer FROM charges WHERE id = ANY($1::uuid[])`,
    [holds.map(({ chargeId }) => chargeId)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Holds of which only a tombstone was written. */
async function countEarlyVoids(holds: Hold[]): Promise<number> {
  const [row] = await ledger.query<{ early: number }>(
    `SELECT count(*)::integer AS early FROM charge_tombstones
     WHERE charge_id = ANY($1::uuid[]) AND charge_id NOT IN (SELECT id FROM charges)`,
    [holds.map(({ chargeId }) => chargeId)],
  );
  return row?.early ?? -1;
}

function byHold(answered: Answered[]): Map<Hold, Answered[]> {
  const groups = new Map<Hold, Answered[]>();
  for (const one of answered) {
    const group = groups.get(one.delivery.hold);
    if (group) group.push(one);
    else groups.set(one.delivery.hold, [one]);
  }
  return groups;
}

/**
 * Counts a round whose answers were all right. Of the answers to charges, as many are new as the ledger wrote down holds; of
 * those to settlements, one per message: the others are duplicates that it recognised.
 */
async function count({ holds, deliveries }: Round, answered: Answered[], stored: Map<string, Stored>) {
  const messages = new Set(deliveries.map(({ hold, message }) => `${hold.chargeId} ${message}`)).size;
  const early = await countEarlyVoids(holds);
  const states = [...stored.values()].map(({ state }) => state);
  totals.holds += holds.length;
  totals.deliveries += deliveries.length;
  totals.charged += states.filter((state) => state === 'posted' || state === 'pending').length;
  totals.refused += states.filter((state) => state === 'refused').length;
  totals.voided += states.filter((state) => state === 'voided').length;
  totals.early += early;
  totals.injected += deliveries.length - messages;
  totals.hits += answered.length - (stored.size + early) - (messages - holds.length);
}

async function play(round: Round, services: ChargeService[]): Promise<void> {
  const people = await richPeople();
  const answered = await new Deliveries(round, people, services).run();
  const stored = await storedCharges(round);
  const kept = people.map(() => 0);
  for (const [hold, answers] of byHold(answered)) {
    expectOneOutcome(answers, stored.get(hold.chargeId));
    const took = answers.some(({ reply }) => typeof reply === 'object' && reply.outcome === 'charged');
    const returned = answers.some(({ reply }) => reply === 'voided' || isVoided(reply));
    if (took && !returned) kept[hold.customer] = (kept[hold.customer] ?? 0) + hold.credits;
  }
  for (const [number, { accountId }] of people.entries()) {
    const { pending, posted } = await expectNothingLost(ledger.query, accountId, creditsEach);
    expect(pending + posted).toBe(kept[number]);
  }
  await count(round, answered, stored);
}

describe('messages that are delivered again', () => {
  afterAll(() => {
    const { holds, deliveries, charged, refused, voided, early, injected, hits } = totals;
    process.stdout.write(
      `duplicates: ${holds} holds in ${deliveries} deliveries to 1-${replicasMax} replicas: ${charged} charged, ` +
        `${refused} refused, ${voided} voided, ${early} voided before their charge; duplicates injected ${injected}, ` +
        `answered with the stored outcome ${hits}, double charges ${doubleCharges}; LEDGER_SEED=${seed}\n`,
    );
  });

  it('up to 5 times, out of order and to up to 4 replicas, are applied once and get the same answer', async () => {
    await ledger.factory.setClock(new Date());
    for (let number = 0; number * roundSize < runs; number++) {
      const replicas = (number % replicasMax) + 1;
      const [round] = fc.sample(rounds(roundSize, replicas), { numRuns: 1, seed: seed + number });
      if (round) await withReplicas(replicas, (services) => play(round, services));
    }
    doubleCharges = await countDoubleCharges();
    expect(doubleCharges).toBe(0);
    expect(totals.holds).toBeGreaterThanOrEqual(runs);
    expect(totals.hits).toBe(totals.injected);
  }, 3_600_000);
});
