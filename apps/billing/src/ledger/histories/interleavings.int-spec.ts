import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { AuditService } from '../../reports/audit/audit.service.js';
import { OverdueChargesStep } from '../charges/overdue-charges.step.js';
import { advanceClock, entriesBackInTime } from './clock.fixture.js';
import { marks, type Answer } from './histories.fixture.js';
import { type Customer, openLedger, type LedgerFixture } from '../ledger.fixture.js';
import { expectPaidOnce } from './paid-once.fixture.js';
import {
  advances,
  answerAfter,
  answerToLast,
  cost,
  describeAll,
  fateOf,
  fateOfStored,
  holds,
  isMessage,
  messagesOf,
  repeatableOf,
  tookCredits,
  type Fate,
  type Happening,
  type Message,
} from './precedence.fixture.js';

const hourMs = 60 * 60 * 1_000;
const { runs, seed } = ledgerRuns(25);

/** Something fired at one of the replicas, together with all the others or a few turns of the event loop later. */
interface Shot {
  readonly happening: Happening;
  readonly replica: number;
  readonly turns: number;
}

interface Observed {
  readonly happening: Happening;
  readonly answer: Answer | undefined;
}

/** What is fired: `first` at any rate, and other happenings to these calls. */
function volleyOf(calls: readonly string[], first: readonly Happening[] = []): fc.Arbitrary<Shot[]> {
  const any = fc.constantFrom<Happening>(
    ...messagesOf(calls),
    ...calls.map((call) => ({ kind: 'charge' as const, call })),
    { kind: 'sweep' },
    { kind: 'time_out' },
    ...(calls.some(repeatableOf) ? [{ kind: 'forgetting' as const }] : []),
  );
  const shotOf = (happening: fc.Arbitrary<Happening>): fc.Arbitrary<Shot> =>
    fc.record({ happening, replica: fc.nat(1), turns: fc.nat(6) });
  const minLength = Math.max(0, 3 - first.length);
  const others = fc.array(shotOf(any), { minLength, maxLength: 6 - first.length, size: 'max' });
  return fc
    .tuple(fc.tuple(...first.map((happening) => shotOf(fc.constant(happening)))), others)
    .map((shots) => shots.flat());
}

const volleys = fc.oneof(
  volleyOf(['A']),
  volleyOf(['A', 'B']),
  volleyOf(
    ['K1', 'K2'],
    [
      { kind: 'charge', call: 'K1' },
      { kind: 'post', call: 'K1' },
      { kind: 'charge', call: 'K2' },
    ],
  ),
  volleyOf(['K1', 'K2', 'L']),
);

let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger();
});

afterAll(() => ledger.close());

/** Calls of one account that can pay for one of them, out of two lots. */
class Race {
  private readonly ids = new Map(['A', 'B', 'K1', 'K2', 'L'].map((call) => [call, randomUUID()]));

  private constructor(private readonly customer: Customer) {}

  static async open(startAt: number): Promise<Race> {
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(2);
    await ledger.factory.lot({ accountId: customer.accountId, credits: cost - 2 });
    return new Race(customer);
  }

  run(shots: readonly Shot[]): Promise<Observed[]> {
    return Promise.all(
      shots.map(async ({ happening, replica, turns }) => {
        for (let n = 0; n < turns; n++) await turn();
        return { happening, answer: await this.happen(happening, replica) };
      }),
    );
  }

  async happen(happening: Happening, replica: number): Promise<Answer | undefined> {
    if (isMessage(happening)) return this.send(happening, replica);
    if (happening.kind === 'sweep') await ledger.get(OverdueChargesStep).run(10);
    else await advanceClock(ledger, advances[happening.kind]);
    return undefined;
  }

  async fates(): Promise<Record<string, Fate>> {
    const { accountId } = this.customer;
    const charges = await ledger.query<{ id: string } & Parameters<typeof fateOfStored>[0]>(
      `SELECT id, state, refusal, void_reason AS "voidReason", repeat_of AS "repeatOf" FROM charges
       WHERE account_id = $1`,
      [accountId],
    );
    const buried = await ledger.query<{ id: string }>(
      'SELECT charge_id AS id FROM charge_tombstones WHERE account_id = $1',
      [accountId],
    );
    const fates = [
      ...charges.map((charge) => [charge.id, fateOfStored(charge)] as const),
      ...buried.map(({ id }) => [id, 'buried'] as const),
    ];
    const byId = new Map<string, Fate>(fates);
    expect(byId.size).toBe(fates.length);
    return Object.fromEntries([...this.ids].map(([call, id]) => [call, byId.get(id) ?? 'unheard_of']));
  }

  /** What the entries say of each call on each lot, beside what the lots have left altogether. */
  async check(fates: Record<string, Fate>): Promise<void> {
    const { accountId } = this.customer;
    const entries = await ledger.query<{ id: string; charges: number; reversals: number; credits: number }>(
      `SELECT charge_id AS id, count(*) FILTER (WHERE type = 'charge')::integer AS charges,
         count(*) FILTER (WHERE type = 'reversal')::integer AS reversals, sum(credits)::integer AS credits
       FROM ledger_entries WHERE account_id = $1 AND charge_id IS NOT NULL GROUP BY charge_id, lot_id`,
      [accountId],
    );
    for (const [call, fate] of Object.entries(fates)) {
      const ofCall = entries.filter(({ id }) => id === this.ids.get(call));
      const taken = tookCredits(fate) ? 1 : 0;
      const returned = taken === 1 && !holds(fate) ? 1 : 0;
      expect(ofCall).toHaveLength(taken * 2);
      for (const { charges, reversals } of ofCall) expect([charges, reversals]).toEqual([taken, returned]);
      expect(ofCall.reduce((sum, { credits }) => sum - credits, 0)).toBe(holds(fate) ? cost : 0);
    }
    const left = Object.values(fates).some(holds) ? 0 : cost;
    const lots = await ledger.query<{ left: number; entries: number }>(
      `SELECT (SELECT sum(remaining) FROM lots WHERE account_id = $1)::integer AS left,
         (SELECT sum(credits) FROM ledger_entries WHERE account_id = $1)::integer AS entries`,
      [accountId],
    );
    expect(lots).toEqual([{ left, entries: left }]);
    expect(await ledger.balance(accountId)).toBe(left);
  }

  private async send({ kind, call }: Message, replica: number): Promise<Answer | undefined> {
    const service = ledger.replicas[replica === 0 ? 0 : 1];
    const id = this.ids.get(call) ?? call;
    if (kind !== 'charge') return this.customer.settle(service, id, kind === 'post' ? 'posted' : 'voided');
    const repeatable = repeatableOf(call);
    return service.charge({
      ...this.customer.request(cost, id),
      ...(repeatable && marks(this.customer.keyId, repeatable)),
    });
  }
}

/** Looks for an order of what was observed in which the table gives every answer and these fates. */
function orderOf(
  observed: readonly Observed[],
  fates: Record<string, Fate>,
  before: readonly Happening[] = [],
): readonly Happening[] | undefined {
  if (observed.length === 0) {
    return Object.keys(fates).every((call) => fateOf(call, before) === fates[call]) ? before : undefined;
  }
  for (const next of observed) {
    const order = [...before, next.happening];
    if (!isDeepStrictEqual(answerToLast(order), next.answer)) continue;
    const found = orderOf(
      observed.filter((other) => other !== next),
      fates,
      order,
    );
    if (found) return found;
  }
  return undefined;
}

/** Every call is settled by now: each message meets the same answer as ever, and changes nothing. */
async function checkRepetitions(race: Race, fates: Record<string, Fate>): Promise<void> {
  for (const [call, fate] of Object.entries(fates)) {
    if (fate === 'unheard_of') continue;
    for (const message of messagesOf([call])) {
      const answer = answerAfter(fate, message.kind);
      expect(await Promise.all([race.happen(message, 0), race.happen(message, 1)])).toEqual([answer, answer]);
    }
  }
  expect(await race.fates()).toEqual(fates);
  await race.check(fates);
}

async function runRace(shots: readonly Shot[], startAt: number): Promise<Fate[]> {
  const race = await Race.open(startAt);
  const observed = await race.run(shots);
  await race.happen({ kind: 'sweep' }, 0);
  const fates = await race.fates();
  const order = orderOf(observed, fates);
  if (!order) {
    const seen = observed.map(({ answer }) => JSON.stringify(answer)).join(', ');
    const shot = describeAll(observed.map(({ happening }) => happening));
    throw new Error(`no order of ${shot} explains ${seen} and ${JSON.stringify(fates)}`);
  }
  await race.check(fates);

  await race.happen({ kind: 'time_out' }, 0);
  await race.happen({ kind: 'sweep' }, 0);
  const settled = await race.fates();
  expect(settled).toEqual(
    Object.fromEntries(
      Object.keys(fates).map((call) => [call, fateOf(call, [...order, { kind: 'time_out' }])]),
    ),
  );
  await checkRepetitions(race, settled);
  return Object.values(settled);
}

describe('messages sent at once to two replicas, with sweeps and time-outs', () => {
  it('are answered as if they had come in some order, and end in the state of that order', async () => {
    const ends = new Map<Fate, number>();
    let startAt = Date.UTC(2025, 0, 1);
    const property = fc.asyncProperty(volleys, async (shots) => {
      startAt += hourMs;
      const fates = await runRace(shots, startAt);
      for (const fate of fates) if (fate !== 'unheard_of') ends.set(fate, (ends.get(fate) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect(await entriesBackInTime(ledger)).toEqual([]);
    await expectPaidOnce(ledger.query);
    expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
    const counts = [...ends].sort().map(([fate, count]) => `${fate} ${count}`);
    process.stdout.write(
      `interleavings on PostgreSQL: ${runs}; calls ${counts.join(', ')}; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);
});
