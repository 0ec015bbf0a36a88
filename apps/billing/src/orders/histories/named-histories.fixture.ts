import { type Bought, type OrderBooks, type Step } from './history.fixture.js';
import { type PostgresOrders } from './play-on-postgres.fixture.js';
import { type ShopEvent } from './shop-events.fixture.js';

/** Steps, after which the order is stored like this. */
type Part = readonly [steps: readonly Step[], expected: Partial<OrderBooks>];

/** 500 credits for $149. */
const builder: Bought = {
  pack: 'builder',
  isMispriced: false,
  failure: { kind: '500', when: 'before', times: 0 },
};
const order = 0;
const happens = (event: ShopEvent): Step => ({ kind: 'shop_event', event });
const pay = happens({ kind: 'pay', order, method: 'card', price: {} });
const refund = happens({ kind: 'refund', order, cents: 14_900 });
const failRefund = happens({ kind: 'fail_refund', order });
const dispute = happens({ kind: 'dispute', order, cents: 14_900, isInquiry: false });
const winDispute = happens({ kind: 'close_dispute', order, outcome: 'won' });
const deliver: Step = { kind: 'deliver_all' };
const spend = (credits: number): Step => ({ kind: 'spend', credits });
const voidCall: Step = { kind: 'end_call', outcome: 'voided' };
const hours = (count: number): Step => ({ kind: 'hours', hours: count });
const sweep: Step = { kind: 'sweep' };
const bought: readonly Step[] = [pay, deliver];

/** What remains in the lot, was taken back, and could not be. */
const left = (
  remaining: number,
  creditsTakenBack: number,
  creditsNotRecovered: number,
): Partial<OrderBooks> => ({
  state: 'granted',
  creditsTakenBack,
  creditsNotRecovered,
  lots: [expect.objectContaining({ remaining }) as OrderBooks['lots'][number]],
});

/** What the rules say of lots that expire and of calls that are pending, which the random histories do not compare. */
export const namedHistories: readonly (readonly [name: string, parts: readonly Part[]])[] = [
  [
    'a refund of an expired lot takes nothing, and gives nothing back when it fails',
    [
      [[...bought, hours(30 * 24), sweep, refund, deliver], left(0, 0, 500)],
      [[failRefund, deliver], left(0, 0, 0)],
    ],
  ],
  [
    'credits of a pending call are taken back once it is voided',
    [
      [[...bought, spend(300), refund, deliver], left(0, 200, 300)],
      [[voidCall], left(300, 200, 300)],
      [[sweep, sweep], left(0, 500, 0)],
    ],
  ],
  [
    'credits of a call that has timed out are taken back at once',
    [[[...bought, spend(300), hours(1), refund, deliver], left(0, 500, 0)]],
  ],
  [
    'credits of a pending call stay with the buyer when they expire first',
    [
      [[...bought, hours(30 * 24 - 1), spend(300), refund, deliver], left(0, 200, 300)],
      [[hours(2), sweep], { creditsTakenBack: 200, creditsNotRecovered: 300 }],
    ],
  ],
  [
    'a dispute that is won after the lot has expired gives nothing back',
    [
      [[...bought, dispute, deliver], left(0, 500, 0)],
      [[hours(30 * 24), winDispute, deliver], { ...left(0, 500, 0), returnedCents: 0 }],
    ],
  ],
];

/** Plays such a history of one order. */
export async function playNamed(player: PostgresOrders, parts: readonly Part[]): Promise<void> {
  await player.begin([builder]);
  for (const [steps, expected] of parts) {
    for (const step of steps) await player.take(step);
    const [first] = await player.orders();
    expect(first).toMatchObject(expected);
  }
  await player.finish();
}
