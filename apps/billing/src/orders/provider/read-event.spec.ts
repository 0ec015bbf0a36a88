import { type EventFacts, readEvent } from './read-event.js';

const event = (type: string, object: object): EventFacts => ({ type, data: { object } });

it.each([
  ['checkout.session.completed', { id: 'cs_1' }, { kind: 'session', sessionId: 'cs_1' }],
  ['checkout.session.expired', { id: 'cs_1' }, { kind: 'session', sessionId: 'cs_1' }],
  ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'payment', paymentIntentId: 'pi_1' }],
  ['refund.failed', { id: 're_1', payment_intent: 'pi_1' }, { kind: 'payment', paymentIntentId: 'pi_1' }],
  [
    'charge.dispute.closed',
    { id: 'du_1', payment_intent: 'pi_1' },
    { kind: 'payment', paymentIntentId: 'pi_1' },
  ],
])('%s says where to look', (type, object, subject) => {
  expect(readEvent(event(type, object))).toEqual(subject);
});

it.each([
  ['payment_intent.succeeded', { id: 'pi_1' }],
  ['customer.created', { id: 'cus_1' }],
  // It says nothing that the session's events don't.
  ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }],
  ['checkout.session.completed', { object: 'checkout.session' }],
  ['checkout.session.completed', { id: 7 }],
  ['refund.created', { id: 're_1', payment_intent: { id: 'pi_1' } }],
  // Of a payment that was made without an intent: none of ours.
  ['charge.refunded', { id: 'ch_1', payment_intent: null }],
])('%s concerns no order', (type, object) => {
  expect(readEvent(event(type, object))).toBeNull();
});
