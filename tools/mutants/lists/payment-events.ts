import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const stripe = 'apps/billing/src/orders/provider/stripe-payments.ts';
const repository = 'apps/billing/src/orders/inbox/payment-events.repository.ts';
const worker = 'apps/billing/src/orders/inbox/event-worker.ts';
const subjects = 'apps/billing/src/orders/inbox/event-subjects.ts';
const service = 'apps/billing/src/orders/payment-events.service.ts';
const reconciliation = 'apps/billing/src/orders/reconciliation/reconciliation.service.ts';
const cursor = 'apps/billing/src/orders/reconciliation/reconciliation-cursor.repository.ts';
const orders = 'apps/billing/src/orders/orders.repository.ts';
const byEvents = ['apps/billing/src/orders/payment-events.int-spec.ts'];
const byInbox = ['apps/billing/src/orders/inbox/inbox.int-spec.ts'];
const byEventList = ['apps/billing/src/orders/reconciliation/event-list.int-spec.ts'];
const byReconciliation = ['apps/billing/src/orders/reconciliation/reconciliation.int-spec.ts'];

export const paymentEvents: readonly Mutant[] = [
  {
    name: 'an event of Stripe is taken without its signature',
    file: stripe,
    fault: inFunction('verifyEvent').remove('this.verifySignature($$$);'),
    killedBy: byEvents,
  },
  {
    name: 'whoever names an order in the address of a Payment Link pays for it',
    file: 'apps/billing/src/orders/provider/read-payment.ts',
    fault: inFunction('orderOf').replace('session.metadata?.order_id ?? null', 'session.client_reference_id'),
    killedBy: byEvents,
  },
  {
    name: 'an event is worked on, and lost when that fails',
    file: service,
    fault: inFunction('take').replace("(await this.events.store([event], 'webhook')) > 0", 'true'),
    killedBy: byEvents,
  },
  {
    name: 'an event that was told before is worked on again',
    file: repository,
    fault: inSql('ON CONFLICT (id) DO NOTHING').replaceWith(
      "ON CONFLICT (id) DO UPDATE SET state = 'waiting', next_attempt_at = excluded.next_attempt_at, ended_at = NULL",
    ),
    killedBy: byEvents,
  },
  {
    name: 'two replicas claim the same events',
    file: repository,
    fault: inSql(
      'AND (attempt_until IS NULL OR attempt_until <= $1::timestamptz) FOR UPDATE SKIP LOCKED',
    ).remove(),
    killedBy: byInbox,
  },
  {
    name: 'Stripe is asked once more for each event that comes while it is asked',
    file: repository,
    fault: inSql('AND asked.attempt_until > $1::timestamptz').replaceWith('AND false'),
    killedBy: byInbox,
  },
  {
    name: 'an event that fails comes before all others',
    file: repository,
    fault: inSql('ELSE $4::timestamptz END').replaceWith('ELSE received_at END'),
    killedBy: byInbox,
  },
  {
    name: 'an event that is tried again is given up at once',
    file: repository,
    fault: inSql('attempts = 0, received_at = $1::timestamptz,').replaceWith('attempts = 0,'),
    killedBy: byInbox,
  },
  {
    name: 'an event is never given up',
    file: repository,
    fault: inSql(
      "SET state = CASE WHEN received_at <= $3::timestamptz THEN 'given_up' ELSE 'waiting' END",
    ).replaceWith("SET state = 'waiting'"),
    killedBy: byInbox,
  },
  {
    name: 'a replica that was slow undoes what another one has begun',
    file: repository,
    fault: inSql(
      "WHERE id = ANY($1::text[]) AND state = 'waiting' AND attempt_until = $2::timestamptz RETURNING",
    ).replaceWith('WHERE id = ANY($1::text[]) AND $2::timestamptz IS NOT NULL RETURNING'),
    killedBy: byInbox,
  },
  {
    name: 'a replica that stops keeps its claims',
    file: worker,
    fault: inFunction('giveBack').remove('await this.events.release(claim);'),
    killedBy: byInbox,
  },
  {
    name: 'an order of ours that Stripe has lost is ignored',
    file: subjects,
    fault: inFunction('look').replace('!(await this.isOurs(subject))', 'true'),
    killedBy: byEvents,
  },
  {
    name: 'events that nobody can see here are tried for three days',
    file: subjects,
    fault: inFunction('look').replace('error instanceof UnknownToProvider', 'false'),
    killedBy: byEvents,
  },
  {
    name: 'what no event has told of is not found',
    file: reconciliation,
    fault: inFunction('reconcile').replace('this.transactions.runAlone($$$)', 'Promise.resolve()'),
    killedBy: byReconciliation,
  },
  {
    name: 'the list of events counts as read before its end',
    file: reconciliation,
    fault: inFunction('readEvents').replace(
      'const isRecent = $RECENT;',
      'await this.cursor.move(startedAt); const isRecent = $RECENT;',
    ),
    killedBy: byEventList,
  },
  {
    name: 'an event that is listed late is lost',
    file: reconciliation,
    fault: inFunction('readEvents').replace('readUntil.getTime() - overlapMs', 'readUntil.getTime()'),
    killedBy: byEventList,
  },
  {
    name: 'another key goes on where the last one was',
    file: cursor,
    fault: inSql('WHERE key_hash = $1').replaceWith('WHERE $1::text IS NOT NULL'),
    killedBy: byEventList,
  },
  {
    name: 'one order about which Stripe fails ends the reconciliation',
    file: reconciliation,
    fault: inFunction('note').replace('this.inARow >= failuresMax', 'true'),
    killedBy: byReconciliation,
  },
  {
    name: 'refunds that could not be read are never read',
    file: orders,
    fault: inSql('WHERE returns_pending AND').replaceWith('WHERE NOT returns_pending AND'),
    killedBy: byReconciliation,
  },
];
