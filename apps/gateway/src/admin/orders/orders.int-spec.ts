import {
  acceptOrder,
  getOrderReview,
  listOrderReviews,
  type MessageContract,
  type OrderReview,
  refundOrder,
  resolveOrder,
  retryPaymentEvents,
  ServiceError,
} from '@app/contracts';
import { AdminFixture } from '../admin.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const id = '0198c0de-0000-7000-8000-000000000002';
const at = '2026-01-31T12:00:00.000Z';
const order: OrderReview = {
  id,
  pack: 'builder',
  credits: 500,
  price_cents: 14_900,
  state: 'in_review',
  paid: null,
  ordered_at: at,
  granted_at: null,
  expires_at: null,
  receipt_url: null,
  returned_cents: 0,
  credits_taken_back: 0,
  credits_not_recovered: 0,
  account: { id: account, name: 'Acme', email: 'a@b.example' },
  person: { id: account, email: null },
  checkout_session_id: 'cs_1',
  payment_intent_id: 'pi_1',
  answered_at: at,
  returns_pending: false,
  problem: 'it was paid in eur',
  problem_at: at,
  resolution: null,
  resolved_at: null,
  fraud_warning_at: null,
  is_dispute_lost: false,
  accepted_at: null,
  credits_left: null,
  concerns: ['problem'],
  actions: ['grant', 'mark_refunded', 'refund'],
};

let admin: AdminFixture;

beforeAll(async () => (admin = await AdminFixture.start()));
beforeEach(() => admin.reset());
afterAll(() => admin.stop());

function send(call: string, body?: object): ReturnType<AdminFixture['send']> {
  const [method = '', path = ''] = call.split(' ');
  return body === undefined ? admin.send(method, path) : admin.sendJson(method, path, body);
}

it.each<[string, string, object]>([
  ['all orders', '/orders', { limit: 50 }],
  ['with and without a concern', '/orders?attention=false', { attention: false, limit: 50 }],
  [
    'those of an account with a concern, page by page',
    `/orders?attention=true&account_id=${account.toUpperCase()}&limit=10&cursor=abc`,
    { attention: true, account_id: account, limit: 10, cursor: 'abc' },
  ],
])('lists %s', async (_which, path, asks) => {
  admin.on(listOrderReviews, () => ({ items: [order], next_cursor: 'def' }));
  const reply = await send(`GET ${path}`);
  expect(reply).toMatchObject({ status: 200, body: { orders: [order], next_cursor: 'def' } });
  expect(admin.received).toEqual([{ pattern: listOrderReviews.pattern, payload: asks }]);
});

interface Decision {
  readonly call: string;
  readonly body?: object;
  readonly contract: MessageContract<unknown, OrderReview>;
  readonly asks: object;
}

const decisions: Decision[] = [
  { call: `GET /orders/${id.toUpperCase()}`, contract: getOrderReview, asks: {} },
  {
    call: `POST /orders/${id}/resolve`,
    body: { resolution: 'granted' },
    contract: resolveOrder,
    asks: { resolution: 'granted' },
  },
  {
    call: `POST /orders/${id}/resolve`,
    body: { resolution: 'refunded' },
    contract: resolveOrder,
    asks: { resolution: 'refunded' },
  },
  { call: `POST /orders/${id}/refund`, body: {}, contract: refundOrder, asks: {} },
  {
    call: `POST /orders/${id}/refund`,
    body: { reason: 'fraudulent' },
    contract: refundOrder,
    asks: { reason: 'fraudulent' },
  },
  { call: `POST /orders/${id}/accept`, contract: acceptOrder, asks: {} },
  { call: `POST /orders/${id}/accept`, body: {}, contract: acceptOrder, asks: {} },
];

it.each(decisions)('$call $body asks billing and shows the order', async ({ call, body, contract, asks }) => {
  admin.on(contract, () => order);
  expect(await send(call, body)).toMatchObject({ status: 200, body: order });
  expect(admin.received).toEqual([{ pattern: contract.pattern, payload: { order_id: id, ...asks } }]);
});

it('events that were given up are tried again, and counted', async () => {
  admin.on(retryPaymentEvents, () => ({ retried: 2 }));
  expect(await send('POST /payment-events/retry')).toMatchObject({ status: 200, body: { retried: 2 } });
  expect(admin.received).toEqual([{ pattern: retryPaymentEvents.pattern, payload: {} }]);
});

it('an order that Stripe does not refund is a 409 that says why', async () => {
  admin.on(refundOrder, () => {
    throw new ServiceError('conflict', 'The Stripe key may not refund: give it "Charges: Write".');
  });
  expect(await send(`POST /orders/${id}/refund`, {})).toMatchObject({
    status: 409,
    body: { error: 'The Stripe key may not refund: give it "Charges: Write".' },
  });
});
