import { isDeepStrictEqual } from 'node:util';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { type Lot } from './allocate.js';
import { type Answer } from '../histories/histories.fixture.js';
import { MemoryAccount, type AccountMessage } from '../histories/memory-account.fixture.js';

const dayMs = 24 * 60 * 60 * 1_000;
const lifetimeMs = 30 * dayMs;
const timeoutMs = 30_000;
const startAt = new Date('2025-06-01T00:00:00.000Z');
const { runs, seed } = ledgerRuns(3_000);

/** Equal ages and expired lots among them, but none that expires during a short play. */
const steadyAge = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 29 * dayMs }), fc.constant(lifetimeMs));
/** Expires while charges are pending, at the instants of time-outs too. */
const endingAge = fc.integer({ min: 0, max: 8 }).map((steps) => lifetimeMs - steps * (timeoutMs / 2));

function lotsOf(age: fc.Arbitrary<number>): fc.Arbitrary<Lot[]> {
  const lot = fc.tuple(fc.nat(1_000), age, fc.integer({ min: 1, max: 12 }));
  return fc.uniqueArray(lot, { minLength: 1, maxLength: 6, selector: ([id]) => id }).map((given) =>
    given.map(([number, ageMs, remaining]) => {
      const purchasedAt = new Date(startAt.getTime() - ageMs);
      const expiresAt = new Date(purchasedAt.getTime() + lifetimeMs);
      return { id: `lot ${String(number).padStart(4, '0')}`, purchasedAt, expiresAt, remaining };
    }),
  );
}

/** A call and how it ends. */
interface Call {
  readonly cost: number;
  readonly end: 'post' | 'void' | 'time_out';
}

const cost = fc.integer({ min: 0, max: 9 });
const call: fc.Arbitrary<Call> = fc.record({ cost, end: fc.constantFrom('post', 'void', 'time_out') });
const posted: fc.Arbitrary<Call> = fc.record({ cost, end: fc.constant('post' as const) });

/** Some lots and calls that they can pay for all together, so in whichever order. */
function paid(of: fc.Arbitrary<Call>): fc.Arbitrary<{ lots: Lot[]; calls: Call[] }> {
  const drawn = fc.tuple(lotsOf(steadyAge), fc.array(of, { minLength: 1, maxLength: 6 }));
  return drawn.map(([lots, calls]) => {
    let left = accountOf(lots).balance();
    const payable = calls.filter((one) => {
      if (one.cost > left) return false;
      left -= one.cost;
      return true;
    });
    return { lots, calls: payable };
  });
}

function accountOf(lots: readonly Lot[]): MemoryAccount {
  return new MemoryAccount(lots, timeoutMs, startAt);
}

/** Charges and insists that it succeeds. */
function charge(account: MemoryAccount, name: string, credits: number): void {
  const [reply] = account.apply([{ kind: 'charge', call: name, credits }]);
  if (typeof reply !== 'object' || reply.outcome !== 'charged') throw new Error(`${name} is not charged`);
}

function end(account: MemoryAccount, name: string, how: Call['end']): void {
  if (how === 'time_out') account.advance(timeoutMs);
  else account.apply([{ kind: how, call: name }]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function mustBeEqual(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** Throws, with the smallest case found, at the first difference. */
function check<Case>(what: string, cases: fc.Arbitrary<Case>, compare: (one: Case) => void): void {
  fc.assert(
    fc.property(cases, (one) => compare(one)),
    { numRuns: runs, seed },
  );
  process.stdout.write(`FIFO, ${what}: ${runs} cases, 0 differences; LEDGER_SEED=${seed}\n`);
}

/** What may happen to an account of six calls. */
type Step = { readonly kind: AccountMessage['kind']; readonly number: number } | { readonly kind: 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('charge', 'charge', 'post', 'void'), number: fc.nat(5) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'wait' as const }) },
);
const plays = fc.record({
  lots: lotsOf(endingAge),
  costs: fc.array(cost, { minLength: 6, maxLength: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 24, size: 'max' }),
});

function messageOf(one: Exclude<Step, { kind: 'wait' }>, costs: readonly number[]): AccountMessage {
  const name = String(one.number);
  return one.kind === 'charge'
    ? { kind: 'charge', call: name, credits: costs[one.number] ?? 0 }
    : { kind: one.kind, call: name };
}

/** Applies one message after another and looks at every new balance that a reply tells. */
function playOneByOne(account: MemoryAccount, steps: readonly Step[], costs: readonly number[]): Answer[] {
  return steps.flatMap((one) => {
    if (one.kind === 'wait') {
      account.advance(timeoutMs / 2);
      return [];
    }
    const message = messageOf(one, costs);
    const isNew = message.kind === 'charge' && !account.charges.has(message.call);
    const answers = account.apply([message]);
    for (const answer of answers) {
      if (isNew && typeof answer === 'object' && 'credits_remaining' in answer) {
        mustBeEqual('balance told', answer.credits_remaining, account.balance());
      }
    }
    return answers;
  });
}

/** Applies what is between two waits in one batch. */
function playTogether(account: MemoryAccount, steps: readonly Step[], costs: readonly number[]): Answer[] {
  const answers: Answer[] = [];
  let batch: AccountMessage[] = [];
  const applyBatch = (): void => {
    if (batch.length > 0) answers.push(...account.apply(batch));
    batch = [];
  };
  for (const one of steps) {
    if (one.kind === 'wait') {
      applyBatch();
      account.advance(timeoutMs / 2);
    } else {
      batch.push(messageOf(one, costs));
    }
  }
  applyBatch();
  return answers;
}

/** What each lot must have left by the charges alone: those that keep their credits, or gave them back too late. */
function leftByCharges(lots: readonly Lot[], account: MemoryAccount): number[] {
  return lots.map((lot) => {
    const gone = [...account.charges.values()].filter(
      ({ state, settledAt }) => state !== 'voided' || (settledAt !== null && settledAt >= lot.expiresAt),
    );
    const fromLots = gone.flatMap((one) => one.fromLots).filter(({ lotId }) => lotId === lot.id);
    return lot.remaining - sum(fromLots.map(({ credits }) => credits));
  });
}

function leftByEntries(lots: readonly Lot[], account: MemoryAccount): number[] {
  return lots.map((lot) => {
    const entries = account.entries.filter(({ lotId }) => lotId === lot.id);
    return lot.remaining + sum(entries.map(({ credits }) => credits));
  });
}

jest.setTimeout(3_600_000);

describe('lots', () => {
  it('are left the same by many charges and by one of their sum', () => {
    check('many charges and one of their sum', paid(posted), ({ lots, calls }) => {
      const [many, one] = [accountOf(lots), accountOf(lots)];
      calls.forEach((each, number) => charge(many, String(number), each.cost));
      charge(one, 'sum', sum(calls.map((each) => each.cost)));
      mustBeEqual('lots', many.remaining(), one.remaining());
    });
  });

  it('are not touched while older ones suffice', () => {
    check('a younger lot', paid(posted), ({ lots, calls }) => {
      const younger = {
        id: 'younger',
        purchasedAt: startAt,
        expiresAt: new Date('2026-01-01'),
        remaining: 12,
      };
      const [without, among] = [accountOf(lots), accountOf([younger, ...lots])];
      for (const account of [without, among]) {
        calls.forEach((each, number) => charge(account, String(number), each.cost));
      }
      mustBeEqual('lots', among.remaining(), [12, ...without.remaining()]);
    });
  });

  it('do not depend on the order of charges that do not overlap', () => {
    const cases = paid(call).chain(({ lots, calls }) =>
      fc.record({
        lots: fc.constant(lots),
        calls: fc.constant(calls),
        permuted: fc.shuffledSubarray(calls, { minLength: calls.length }),
      }),
    );
    check('permuted charges', cases, ({ lots, calls, permuted }) => {
      const [left, leftPermuted] = [calls, permuted].map((order) => {
        const account = accountOf(lots);
        order.forEach((each, number) => {
          charge(account, String(number), each.cost);
          end(account, String(number), each.end);
        });
        account.sweep();
        return account.remaining();
      });
      mustBeEqual('lots', leftPermuted, left);
    });
  });

  it('are the same after any charge was voided and made again', () => {
    check('a charge given up and made again', paid(posted), ({ lots, calls }) => {
      const account = accountOf(lots);
      calls.forEach((each, number) => charge(account, String(number), each.cost));
      const left = account.remaining();
      calls.forEach((each, number) => {
        end(account, String(number), 'void');
        charge(account, `${number} again`, each.cost);
        mustBeEqual('lots', account.remaining(), left);
      });
    });
  });

  it('match the entries and the charges, in one batch or in many', () => {
    check('lots, entries and charges', plays, ({ lots, costs, steps }) => {
      const [apart, together] = [accountOf(lots), accountOf(lots)];
      const answers = playOneByOne(apart, steps, costs);
      mustBeEqual('answers', playTogether(together, steps, costs), answers);
      mustBeEqual('entries', together.entries, apart.entries);
      mustBeEqual('lots', apart.remaining(), leftByEntries(lots, apart));
      mustBeEqual('entries', leftByEntries(lots, apart), leftByCharges(lots, apart));
    });
  });
});
