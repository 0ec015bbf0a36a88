import { readEvent } from './read-event.js';

const event = (type: string, object: object): object => ({ id: 'evt_1', type, data: { object } });

it.each([
  ['checkout.session.completed', { id: 'cs_1' }, { kind: 'session', id: 'cs_1' }],
  ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'payment', id: 'pi_1' }],
  ['refund.failed', { id: 're_1', payment_intent: 'pi_1' }, { kind: 'payment', id: 'pi_1' }],
  ['charge.dispute.closed', { id: 'du_1', payment_intent: 'pi_1' }, { kind: 'payment', id: 'pi_1' }],
])('%s says where to look', (type, object, subject) => {
  expect(readEvent(event(type, object))).toEqual({ id: 'evt_1', type, subject });
});

it.each([
  ['payment_intent.succeeded', { id: 'pi_1' }, 'other_type'],
  // It says nothing that the session's events don't.
  ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }, 'other_type'],
  ['checkout.session.completed', { object: 'checkout.session' }, 'other_payment'],
  ['checkout.session.completed', { id: 7 }, 'other_payment'],
  ['checkout.session.completed', { id: 'cs_1\u0000' }, 'other_payment'],
  ['checkout.session.completed', { id: 'c'.repeat(256) }, 'other_payment'],
  ['refund.created', { id: 're_1', payment_intent: { id: 'pi_1' } }, 'other_payment'],
  // Of a payment that was made without an intent: none of ours.
  ['charge.refunded', { id: 'ch_1', payment_intent: null }, 'other_payment'],
])('%s concerns no order', (type, object, why) => {
  expect(readEvent(event(type, object))).toBe(why);
});

it.each([
  ['of a connected account', { account: 'acct_1', data: { object: { id: 'cs_1' } } }, 'other_account'],
  ['without its object, as "thin" payloads are', { related_object: { id: 'cs_1' } }, 'without_object'],
  ['whose object is none', { data: { object: 'cs_1' } }, 'without_object'],
  ['whose data are none', { data: null }, 'without_object'],
])('an event %s concerns no order', (_what, content, why) => {
  expect(readEvent({ id: 'evt_1', type: 'checkout.session.completed', ...content })).toBe(why);
});

it.each([
  ['nothing', undefined],
  ['a list', []],
  ['a text', 'checkout.session.completed'],
  ['what has no type', { id: 'evt_1' }],
  ['what has no id', { type: 'checkout.session.completed', data: { object: { id: 'cs_1' } } }],
  ['what has the id of none', { id: "evt_1'; --", type: 'checkout.session.completed' }],
])('%s is no event', (_what, body) => {
  expect(readEvent(body)).toBeNull();
});
