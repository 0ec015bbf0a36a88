import { type Bought, type OrderBooks, type PlayableOrders, type Step } from './history.fixture.js';
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
const pay = (method: 'card' | 'delayed' = 'card'): Step => happens({ kind: 'pay', order, method, price: {} });
const settle = (outcome: 'succeeded' | 'failed'): Step => happens({ kind: 'settle', order, outcome });
const expire = happens({ kind: 'expire', order });
const refund = (cents: number): Step => happens({ kind: 'refund', order, cents });
const failRefund = happens({ kind: 'fail_refund', order });
const dispute = (cents = 14_900, isInquiry = false): Step =>
  happens({ kind: 'dispute', order, cents, isInquiry });
const closeDispute = (outcome: 'won' | 'lost'): Step => happens({ kind: 'close_dispute', order, outcome });
const deliver: Step = { kind: 'deliver_all' };
const again: Step = { kind: 'deliver', channels: [{ by: 'event', event: 0 }], meanwhile: [] };
const spend = (credits: number): Step => ({ kind: 'spend', credits });
const endCall = (outcome: 'posted' | 'voided'): Step => ({ kind: 'end_call', outcome });
const hours = (count: number): Step => ({ kind: 'hours', hours: count });
const sweep: Step = { kind: 'sweep' };
const bought: readonly Step[] = [pay(), deliver];

const ungranted = (state: OrderBooks['state']): Partial<OrderBooks> => ({ state, lots: [] });
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

/** What users see of the first order after each part. */
export const namedHistories: readonly (readonly [name: string, parts: readonly Part[]])[] = [
  [
    'an order is granted once it is paid',
    [
      [[deliver], ungranted('open')],
      [bought, left(500, 0, 0)],
    ],
  ],
  [
    'an order whose money takes days is granted when the money is there, which an old event does not undo',
    [
      [[pay('delayed'), deliver], ungranted('processing')],
      [[settle('succeeded'), deliver], left(500, 0, 0)],
      [[again, deliver], left(500, 0, 0)],
    ],
  ],
  [
    'an order whose payment fails gives nothing',
    [[[pay('delayed'), settle('failed'), deliver], ungranted('failed')]],
  ],
  ['an order that expires gives nothing', [[[expire, deliver], ungranted('expired')]]],
  [
    'a refund takes back as many credits as it has bought, each part once',
    [
      [[...bought, refund(2_980), deliver, again, deliver], left(400, 100, 0)],
      [[refund(11_920), deliver, again], { ...left(0, 500, 0), returnedCents: 14_900 }],
    ],
  ],
  [
    'a refund takes back what was not spent, and notes the rest',
    [[[...bought, spend(450), endCall('posted'), refund(7_450), deliver], left(0, 50, 200)]],
  ],
  [
    'a refund that fails gives the credits back',
    [
      [[...bought, refund(7_450), deliver], left(250, 250, 0)],
      [[failRefund, deliver], { ...left(500, 0, 0), returnedCents: 0 }],
    ],
  ],
  [
    'a refund of an expired lot takes nothing, and gives nothing back when it fails',
    [
      [[...bought, hours(30 * 24), sweep, refund(14_900), deliver], left(0, 0, 500)],
      [[failRefund, deliver], left(0, 0, 0)],
    ],
  ],
  ['a refund from before the grant is taken back too', [[[pay(), refund(14_900), deliver], left(0, 500, 0)]]],
  [
    'credits of a pending call are taken back once it is voided',
    [
      [[...bought, spend(300), refund(14_900), deliver], left(0, 200, 300)],
      [[endCall('voided')], left(300, 200, 300)],
      [[sweep, sweep], left(0, 500, 0)],
    ],
  ],
  [
    'credits of a call that has timed out are taken back at once',
    [[[...bought, spend(300), hours(1), refund(14_900), deliver], left(0, 500, 0)]],
  ],
  [
    'credits of a pending call stay with the buyer when they expire first',
    [
      [[...bought, hours(30 * 24 - 1), spend(300), refund(14_900), deliver], left(0, 200, 300)],
      [[hours(2), sweep], { creditsTakenBack: 200, creditsNotRecovered: 300 }],
    ],
  ],
  [
    'a dispute takes the credits when the bank takes the money, and gives them back when it is won',
    [
      [[...bought, spend(100), endCall('posted'), dispute(), deliver], left(0, 400, 100)],
      [[closeDispute('won'), deliver], { ...left(400, 0, 0), returnedCents: 0 }],
    ],
  ],
  [
    'a dispute that is lost after a partial refund takes no more than was bought',
    [
      [
        [...bought, refund(4_900), dispute(), closeDispute('lost'), deliver],
        { ...left(0, 500, 0), returnedCents: 14_900 },
      ],
    ],
  ],
  [
    'a dispute that is won after the lot has expired gives nothing back',
    [
      [[...bought, dispute(), deliver], left(0, 500, 0)],
      [[hours(30 * 24), closeDispute('won'), deliver], { ...left(0, 500, 0), returnedCents: 0 }],
    ],
  ],
  [
    'a dispute that is only an inquiry takes nothing',
    [
      [[...bought, dispute(14_900, true), deliver], left(500, 0, 0)],
      [[closeDispute('lost'), deliver], left(500, 0, 0)],
    ],
  ],
];

/** Plays such a history of one order. */
export async function playNamed(player: PlayableOrders, parts: readonly Part[]): Promise<void> {
  await player.begin([builder]);
  for (const [steps, expected] of parts) {
    for (const step of steps) await player.take(step);
    const [first] = await player.orders();
    expect(first).toMatchObject(expected);
  }
  await player.finish();
}
