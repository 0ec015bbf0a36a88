import { compareShapes, objectsIn, type TypedObject } from './compare-recordings.js';

const dispute: TypedObject = {
  id: 'du_1',
  object: 'dispute',
  amount: 100,
  balance_transactions: [{ id: 'txn_1', object: 'balance_transaction', amount: -100 }],
  charge: 'ch_1',
  created: 1,
  currency: 'usd',
  evidence_details: { due_by: 5, submission: { count: 0 } },
  metadata: { order_id: 'order-1' },
  payment_intent: 'pi_1',
  reason: null,
  status: 'lost',
};
const compare = (change: object, examples: readonly TypedObject[] = [dispute]) =>
  compareShapes(examples, { ...dispute, ...change });

it.each([
  ['the same', {}],
  ['more', { payment_method_details: { type: 'card' } }],
  ['other metadata', { metadata: { campaign: 'spring' } }],
  ['an expanded object, which is compared by itself', { charge: { id: 'ch_1', object: 'charge' } }],
  ['nothing where there can be something', { balance_transactions: [] }],
  ['a value where the stand-in never has one', { reason: 'fraudulent' }],
])('%s is no difference', (_what, change) => {
  expect(compare(change)).toEqual([]);
});

it('a missing field is one', () => {
  expect(compare({ evidence_details: { submission: {} }, currency: undefined })).toEqual([
    { path: 'dispute.currency', problem: 'missing at Stripe' },
    { path: 'dispute.evidence_details.due_by', problem: 'missing at Stripe' },
    { path: 'dispute.evidence_details.submission.count', problem: 'missing at Stripe' },
  ]);
});

it('a field of another type is one, also when it is empty at Stripe', () => {
  expect(compare({ amount: '100', payment_intent: null })).toEqual([
    { path: 'dispute.amount', problem: 'another type', types: { stripe: 'string', here: 'number' } },
    { path: 'dispute.payment_intent', problem: 'another type', types: { stripe: 'null', here: 'string' } },
  ]);
});

it('a type that the stand-in has in another state is none', () => {
  const other = { ...dispute, payment_intent: null };
  expect(compare({ payment_intent: null }, [dispute, other])).toEqual([]);
});

it('a field that billing reads and the stand-in has not is one', () => {
  expect(compare({}, [{ ...dispute, status: undefined }])).toEqual([
    { path: 'dispute.status', problem: 'missing here' },
  ]);
});

it('objects are found in lists, events and expanded fields', () => {
  const charge = { id: 'ch_1', object: 'charge' };
  const expanded = { ...dispute, charge };
  const event = { id: 'evt_1', object: 'event', data: { object: dispute } };
  const found = objectsIn({ object: 'list', data: [expanded, event], url: '/v1/things' });
  expect(found.map(({ object }) => object)).toEqual([
    'dispute',
    'balance_transaction',
    'charge',
    'event',
    'dispute',
    'balance_transaction',
  ]);
});
