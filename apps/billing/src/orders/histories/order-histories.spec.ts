import { type CardPack } from '@app/contracts';
import { type Books, Payments, Records, Returns } from '@app/stripe-stand-in';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import {
  anyHappening,
  anyPack,
  anyReadable,
  happen,
  type Happening,
  ordersMax,
  type Readable,
  truthOf,
} from './happenings.fixture.js';
import { anyHearing, type Hearing } from './hearings.fixture.js';
import { MemoryOrders } from './memory-orders.fixture.js';
import { expectReview, Tally } from './tally.fixture.js';

/** `hear`: somebody begins to ask about an order; `go on`: one of those that ask gets one step further; `lose`: it is killed. */
type Step =
  | { readonly kind: 'happening'; readonly happening: Happening }
  | { readonly kind: 'hear'; readonly hearing: Hearing }
  | { readonly kind: 'go on' | 'lose' | 'spend' | 'days'; readonly number: number }
  | { readonly kind: 'end call'; readonly outcome: 'posted' | 'voided' }
  | { readonly kind: 'readable'; readonly what: Readable };

/** One in eight is mispriced at Stripe. */
interface Bought {
  readonly pack: CardPack;
  readonly mispriced: number;
}

const { runs, seed } = ledgerRuns(150);

const numbered = (kind: 'go on' | 'lose' | 'spend' | 'days', number: fc.Arbitrary<number>) =>
  fc.record({ kind: fc.constant(kind), number });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('happening' as const), happening: anyHappening }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('hear' as const), hearing: anyHearing }) },
  { weight: 16, arbitrary: numbered('go on', fc.nat(9)) },
  { weight: 1, arbitrary: numbered('lose', fc.nat(9)) },
  { weight: 4, arbitrary: numbered('spend', fc.constantFrom(1, 20, 50, 499, 2_500)) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end call' as const),
      outcome: fc.constantFrom('posted' as const, 'voided' as const),
    }),
  },
  { weight: 1, arbitrary: numbered('days', fc.constantFrom(1, 15, 29, 30)) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('readable' as const), what: anyReadable }) },
);
const history = fc.record({
  bought: fc.array(fc.record({ pack: anyPack, mispriced: fc.nat(7) }), {
    minLength: 1,
    maxLength: ordersMax,
  }),
  steps: fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }),
});

function openBooks(): Books {
  const records = new Records();
  return {
    records,
    payments: new Payments(records, () => 'http://localhost'),
    returns: new Returns(records),
  };
}

function take(one: Step, books: Books, memory: MemoryOrders): void {
  switch (one.kind) {
    case 'happening': {
      const order = memory.orderOf(one.happening.order);
      happen(books, order.session, one.happening);
      break;
    }
    case 'hear':
      memory.hear(one.hearing);
      break;
    case 'go on':
      memory.goOn(one.number);
      break;
    case 'lose':
      memory.lose(one.number);
      break;
    case 'spend':
      memory.spend(one.number);
      break;
    case 'end call':
      memory.endCall(one.outcome);
      break;
    case 'days':
      memory.passDays(one.number);
      break;
    case 'readable':
      memory.readable = one.what;
      break;
  }
}

/** Never more than was paid, at any time. */
function expectNothingTooMuch(books: Books, memory: MemoryOrders): void {
  for (const order of memory.orders) {
    const most = truthOf(books, order.session.id).isPaid ? 1 : 0;
    if (order.lots.length > most) throw new Error(`${order.lots.length} lots where ${most} were paid`);
  }
}

/** Once somebody has asked about each order after everything happened, and could read everything. */
function expectTruth(books: Books, memory: MemoryOrders, tally: Tally): void {
  for (const order of memory.orders) {
    const truth = truthOf(books, order.session.id);
    const { isPaid, unpaidState, returnedCents, totalCents } = truth;
    expect(order.returnsPending).toBe(false);
    if (isPaid && order.session.amount_subtotal !== order.priceCents) {
      expectReview(order, truth, tally, order.lots.length);
      continue;
    }
    tally.countPurchase(isPaid, order.lots.length);
    expect({ state: order.state, lots: order.lots.length, returned: order.returnedCents }).toEqual({
      state: isPaid ? 'granted' : unpaidState,
      lots: isPaid ? 1 : 0,
      returned: isPaid ? returnedCents : 0,
    });
    if (isPaid && totalCents === 0) tally.count('free');
    const owed = isPaid && totalCents > 0 ? Math.floor((order.credits * returnedCents) / totalCents) : 0;
    const { creditsTakenBack, creditsNotRecovered } = order;
    expect(creditsNotRecovered).toBe(Math.max(0, owed - creditsTakenBack));
    const [lot] = order.lots;
    if (!lot) continue;
    // Each credit of the lot is there, was spent by a call, or was taken back by an adjustment.
    expect(order.adjustments.reduce((sum, change) => sum - change, 0)).toBe(creditsTakenBack);
    expect(lot.remaining + lot.spent + creditsTakenBack).toBe(order.credits);
    if (returnedCents > 0) tally.explained += 1;
    if (creditsNotRecovered > 0) tally.count('not recovered');
    // As long as the lot lives, nothing is kept that was paid for, and nothing left that was paid back.
    if (memory.isOpen(lot)) {
      expect(creditsTakenBack).toBeLessThanOrEqual(owed);
      if (creditsNotRecovered > 0) expect(lot.remaining).toBe(0);
    } else if (creditsTakenBack > owed) tally.count('won too late');
  }
}

function play({ bought, steps }: { bought: Bought[]; steps: Step[] }, tally: Tally): void {
  const books = openBooks();
  const memory = new MemoryOrders(books);
  for (const { pack, mispriced } of bought) memory.start(pack, mispriced === 0);
  for (const one of steps) {
    take(one, books, memory);
    expectNothingTooMuch(books, memory);
  }
  memory.readable = 'all';
  // Nothing else is heard, but those who have begun to ask get their answers; the next reconciliation finds the rest.
  memory.finish();
  memory.hear({ by: 'reconciliation' });
  memory.finish();
  memory.sweep();
  expectTruth(books, memory, tally);
  tally.histories += 1;
}

it('what is paid is granted once, and what goes back is taken, in any order of what happens and who asks', () => {
  const tally = new Tally();
  fc.assert(
    fc.property(history, (one) => play(one, tally)),
    { numRuns: runs, seed },
  );
  process.stdout.write(`orders in memory: ${tally.toString()}; LEDGER_SEED=${seed}\n`);
  expect([tally.lost, tally.doubled]).toEqual([0, 0]);
}, 3_600_000);
