import { type Mutant } from '../mutant.js';

const metering = 'apps/gateway/src/charging/metering.service.ts';
const openCharge = 'apps/gateway/src/charging/open-charge.ts';
const price = 'apps/gateway/src/charging/price-search.ts';
const exchange = 'apps/gateway/src/connections/exchange.ts';
const connection = 'apps/gateway/src/connections/connection.ts';
const byConnections = ['apps/gateway/src/connections/connections.int-spec.ts'];
const byMetering = ['apps/gateway/src/charging/metering.int-spec.ts'];
const byOpenCharge = ['apps/gateway/src/charging/open-charge.spec.ts'];
const byPrice = ['apps/gateway/src/charging/price-search.spec.ts'];
const bySettler = ['apps/gateway/src/charging/settler.spec.ts'];
const byUnpaid = ['apps/gateway/src/charging/unpaid-calls.int-spec.ts'];

export const gateway: Mutant[] = [
  {
    name: 'a search without a match costs',
    file: price,
    from: 'if (total === 0) return 0;',
    to: '',
    killedBy: byPrice,
  },
  {
    name: 'a filter of 0 is free',
    file: price,
    from: 'search[filter] !== undefined',
    to: 'search[filter]',
    killedBy: byPrice,
  },
  {
    name: 'a 404 is charged',
    file: 'apps/gateway/src/routes/get-creator-profile/get-creator-profile.controller.ts',
    from: 'if (!profile.value.found) throw noSuchCreator();',
    to: `if (!profile.value.found) {
      const metered = { operation: 'profile', credits: profilePrice };
      return this.metering.respond(call, reply.code(404), metered, () => Buffer.from('{}'));
    }`,
    killedBy: byUnpaid,
  },
  {
    name: 'a client that has gone is charged',
    file: metering,
    from: 'if (exchange.isOver) throw clientGone;',
    to: '',
    killedBy: byUnpaid,
  },
  {
    name: "the charge id is the caller's request id",
    file: metering,
    from: 'new OpenCharge(uuidv7(), ',
    to: 'new OpenCharge(call.requestId, ',
    killedBy: byMetering,
    test: 'makes an id of its own',
  },
  {
    name: 'calls are free while billing is away',
    file: metering,
    from: 'await this.services.request(charge, message, call.context());',
    to: `await this.services
      .request(charge, message, call.context())
      .catch(() => ({ outcome: 'charged', credits_used: credits, credits_remaining: 100 }));`,
    killedBy: byMetering,
    test: 'voids when the reply to the charge is an error',
  },
  {
    name: 'an error after the charge posts it',
    file: openCharge,
    from: "giveUp(): void {\n    this.settle('voided');",
    to: "giveUp(): void {\n    this.settle('posted');",
    killedBy: byOpenCharge,
  },
  {
    name: 'a charge is posted before its response is handed over',
    file: openCharge,
    from: 'this.delivering = true;',
    to: "this.delivering = true;\n    this.settle('posted');",
    killedBy: byOpenCharge,
  },
  {
    name: 'a response that was cut off is posted',
    file: openCharge,
    from: "this.delivering && end === 'handed_over' ?",
    to: 'this.delivering ?',
    killedBy: byOpenCharge,
  },
  {
    name: 'a finished error response is posted',
    file: openCharge,
    from: "this.delivering && end === 'handed_over' ?",
    to: "end === 'handed_over' ?",
    killedBy: byOpenCharge,
  },
  {
    name: 'an answer counts as handed over although its connection is gone',
    file: exchange,
    from: "this.socket.destroyed || this.socket.errored ? 'cut_off' : 'handed_over'",
    to: "'handed_over'",
    killedBy: byOpenCharge,
  },
  {
    name: 'a write that failed counts as handed over',
    file: exchange,
    from: 'this.socket.destroyed || this.socket.errored ?',
    to: 'this.socket.destroyed ?',
    killedBy: ['apps/gateway/src/connections/exchange.int-spec.ts'],
  },
  {
    name: 'a client that has closed its side is taken for one that reads',
    file: metering,
    from: 'exchange.mayBeGone ? inTwoParts(bytes, exchange) : bytes',
    to: 'bytes',
    killedBy: byConnections,
    test: 'closed the connection before the answer',
  },
  {
    name: 'what is held for a pipelined call is not released with its connection',
    file: connection,
    from: 'this.current?.disconnected();',
    to: '',
    killedBy: byConnections,
    test: 'has its credits back at once',
  },
  {
    name: 'pipelined calls are charged before their turn',
    file: connection,
    from: 'else if (this.current === null) this.start',
    to: 'else if (allWaiting < allWaitingMax) this.start',
    killedBy: byConnections,
    test: 'taken one after the other',
  },
  {
    name: 'a slow reader gets its answer for nothing',
    file: openCharge,
    from: 'this.exchange.abort()',
    to: '{}',
    killedBy: byOpenCharge,
  },
  {
    name: 'voids are never sent',
    file: openCharge,
    from: 'if (this.settled || !this.taken) return;',
    to: "if (this.settled || !this.taken || outcome === 'voided') return;",
    killedBy: byOpenCharge,
  },
  {
    name: 'a charge is settled twice',
    file: openCharge,
    from: 'this.settled = true;',
    to: '',
    killedBy: byOpenCharge,
  },
  {
    name: 'a charge of nothing is settled',
    file: openCharge,
    from: 'this.taken = credits > 0;',
    to: 'this.taken = credits >= 0;',
    killedBy: byOpenCharge,
  },
  {
    name: 'a settlement that was not acknowledged is dropped',
    file: 'apps/gateway/src/charging/settler.ts',
    from: 'failures += 1;',
    to: 'this.waiting.splice(0, batch.length);',
    killedBy: bySettler,
  },
  {
    name: 'a settlement that was acknowledged is sent again',
    file: 'apps/gateway/src/charging/settler.ts',
    from: 'this.waiting.splice(0, batch.length);',
    to: 'if (failures > 0) this.waiting.splice(0, batch.length);\n        else { failures = 1; this.report(batch, reply); continue; }',
    killedBy: bySettler,
  },
  {
    name: 'a settlement that comes while the sending ends waits for the next one',
    file: 'apps/gateway/src/charging/settler.ts',
    from: '    this.running = undefined;',
    to: '    await Promise.resolve();\n    this.running = undefined;',
    killedBy: bySettler,
  },
];
