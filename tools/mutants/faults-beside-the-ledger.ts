import { type Fault } from './fault.js';

export const faultsBesideTheLedger: readonly Fault[] = [
  // Orders and the events of Stripe.
  {
    name: 'an event of Stripe is taken without its signature',
    find: 'this.verifySignature(body, signature);',
    replace: '',
    spec: 'inbox/payment-events.int-spec.ts',
  },
  {
    name: 'questions about an order are not numbered',
    find: 'refreshes = refreshes + 1',
    replace: 'refreshes = refreshes',
    spec: 'inbox/payment-events.int-spec.ts',
  },
  {
    name: 'the next attempt at a refund is the same request',
    find: 'SET refund_attempts = $2 WHERE',
    replace: 'SET refund_attempts = $2 - 1 WHERE',
    spec: 'order-refunds.int-spec.ts',
  },
  {
    name: 'two replicas claim the same events',
    find: 'AND (attempt_until IS NULL OR attempt_until <= $1::timestamptz) FOR UPDATE SKIP LOCKED',
    replace: '',
    spec: 'inbox.int-spec.ts',
  },
  {
    name: 'a slow replica undoes what another one has begun',
    find: "state = 'waiting' AND attempt_until = $2::timestamptz RETURNING",
    replace: '$2::timestamptz IS NOT NULL RETURNING',
    spec: 'inbox.int-spec.ts',
  },
  {
    name: 'each replica sends a notice',
    find: 'next_attempt_at = $4::timestamptz, attempt_until = $4::timestamptz FROM due',
    replace: 'problem = $4::timestamptz::text, attempt_until = $4::timestamptz FROM due',
    spec: 'outbox.int-spec.ts',
  },

  // Signing in.
  {
    name: 'a code is stored as it is in the mail',
    find: "return createHmac('sha256', browserHash).update(`${signInId}:${code}`).digest('hex');",
    replace: 'return code;',
    spec: 'sign-in/attacks.int-spec.ts',
  },
  {
    name: 'the signature of an ID token is not checked',
    find: 'openid.enableNonRepudiationChecks(client);',
    replace: '',
    spec: 'openid-attacks.int-spec.ts',
  },

  // Handing over.
  {
    name: 'a charge is posted before its response is handed over',
    find: 'this.delivering = true;',
    replace: "this.delivering = true; this.settle('handed_over');",
    spec: 'charging/charge.spec.ts',
  },
  {
    name: 'an answer counts as handed over although its connection is gone',
    find: "this.end(this.socket.destroyed || this.socket.errored ? 'cut_off' : 'handed_over');",
    replace: "this.end('handed_over');",
    spec: 'charging/charge.spec.ts',
  },
  {
    name: 'a settlement without an acknowledgement is dropped',
    find: 'failures += 1; } else {',
    replace: 'this.waiting.splice(0, batch.length); } else {',
    spec: 'settler.spec.ts',
  },
  {
    name: 'what is held for a pipelined call is not released with its connection',
    find: 'this.current?.disconnected(); for',
    replace: 'for',
    spec: 'connections.int-spec.ts',
    test: 'has its credits back at once',
  },
  {
    name: 'the result of a tool is sent although nothing is posted for it',
    find: 'void reply.send(pendingCharge.answer(reply, Buffer.from(answer.json)));',
    replace: 'sendAnswer(reply, answer);',
    spec: 'mcp/mcp.int-spec.ts',
    test: 'once the result was handed over',
  },
];
