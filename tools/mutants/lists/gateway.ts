import { type Mutant } from '../mutant.js';
import { inFunction } from '../planting/fault.js';

const metering = 'apps/gateway/src/charging/metering.service.ts';
const paidAnswer = 'apps/gateway/src/charging/paid-answer.ts';
const openCharge = 'apps/gateway/src/charging/open-charge.ts';
const settler = 'apps/gateway/src/charging/settler.ts';
const exchange = 'apps/gateway/src/connections/exchange.ts';
const connection = 'apps/gateway/src/connections/connection.ts';
const byConnections = ['apps/gateway/src/connections/connections.int-spec.ts'];
const byMetering = ['apps/gateway/src/charging/metering.int-spec.ts'];
const byOpenCharge = ['apps/gateway/src/charging/open-charge.spec.ts'];
const bySettler = ['apps/gateway/src/charging/settler.spec.ts'];
const byUnpaid = ['apps/gateway/src/charging/unpaid-calls.int-spec.ts'];

const byFreeCalls = ['apps/gateway/src/charging/free-calls.int-spec.ts'];

export const gateway: readonly Mutant[] = [
  {
    name: 'searches without a match and unchanged profiles are not limited',
    file: metering,
    fault: inFunction('MeteringService.charge').remove(
      'if (metered.credits === 0) await this.freeCalls.admit($$$);',
    ),
    killedBy: byFreeCalls,
  },
  {
    name: 'repeated calls are not limited',
    file: metering,
    fault: inFunction('MeteringService.charge').remove(
      'if (credits_used < metered.credits) await this.freeCalls.admit($$$);',
    ),
    killedBy: byFreeCalls,
  },
  {
    name: 'all accounts share one limit of free calls',
    file: 'apps/gateway/src/rate-limit/free-call-limit.ts',
    fault: inFunction('admit').replace(
      "this.limiter.admit('free', accountId, limit)",
      "this.limiter.admit('free', 'all', limit)",
    ),
    killedBy: byFreeCalls,
  },
  {
    name: 'one account may have all reports at once',
    file: 'apps/gateway/src/reports/reports.ts',
    fault: inFunction('ask').replace(
      'this.line.enter(request.account_id)',
      'this.line.enter(String(Math.random()))',
    ),
    killedBy: ['apps/gateway/src/reports/reports.int-spec.ts'],
  },
  {
    name: 'a filter of 0 is free',
    file: 'apps/gateway/src/charging/price-search.ts',
    fault: inFunction('filtersUsed').replace('$SEARCH[$FILTER] !== undefined', '$SEARCH[$FILTER]'),
    killedBy: ['apps/gateway/src/charging/price-search.spec.ts'],
  },
  {
    name: 'a profile that is not there is charged',
    file: 'apps/gateway/src/creators/creator-profiles.ts',
    fault: inFunction('find').remove('if (!$PROFILE.value.found) throw $NOTFOUND;'),
    killedBy: byUnpaid,
  },
  {
    name: 'a client that has gone is charged',
    file: metering,
    fault: inFunction('take').remove('if ($EXCHANGE.isOver) throw $GONE;'),
    killedBy: byUnpaid,
  },
  {
    name: "the charge id is the caller's request id",
    file: metering,
    fault: inFunction('take').replace('uuidv7()', 'call.requestId'),
    killedBy: byMetering,
    test: 'generates its own charge id',
  },
  {
    name: 'calls are free while billing is away',
    file: metering,
    fault: inFunction('MeteringService.charge').replace(
      'this.services.request(charge, $$$)',
      "$MATCH.catch(() => ({ outcome: 'charged', credits_used: metered.credits, credits_remaining: 100 }))",
    ),
    killedBy: byMetering,
    test: 'voids when the reply to the charge is an error',
  },
  {
    name: 'an error after the charge posts it',
    file: openCharge,
    fault: inFunction('giveUp').replace("'given_up'", "'handed_over'"),
    killedBy: byOpenCharge,
  },
  {
    name: 'a charge is posted before its response is handed over',
    file: openCharge,
    fault: inFunction('deliver').replace('this.delivering = true;', "$MATCH this.settle('handed_over');"),
    killedBy: byOpenCharge,
  },
  {
    name: 'an answer counts as handed over although its connection is gone',
    file: exchange,
    fault: inFunction('answered').replace("$GONE ? 'cut_off' : 'handed_over'", "'handed_over'"),
    killedBy: byOpenCharge,
  },
  {
    name: 'a write that failed counts as handed over',
    file: exchange,
    fault: inFunction('answered').replace('$DESTROYED || $SOCKET.errored', '$DESTROYED'),
    killedBy: ['apps/gateway/src/connections/exchange.int-spec.ts'],
  },
  {
    name: 'a client that has closed its side is taken for one that reads',
    file: paidAnswer,
    fault: inFunction('send').replace('$EXCHANGE.mayBeGone ? inTwoParts($$$) : $BYTES', '$BYTES'),
    killedBy: byConnections,
    test: 'closed the connection before the answer',
  },
  {
    name: 'what is held for a pipelined call is not released with its connection',
    file: connection,
    fault: inFunction('Connection.constructor').remove('this.current?.disconnected();'),
    killedBy: byConnections,
    test: 'has its credits back at once',
  },
  {
    name: 'pipelined calls are charged before their turn',
    file: connection,
    fault: inFunction('take').replace('this.current === null', 'allWaiting < allWaitingMax'),
    killedBy: byConnections,
    test: 'taken one after the other',
  },
  {
    name: 'an answer ends before its data is acknowledged',
    file: 'apps/gateway/src/connections/acknowledged-response.ts',
    fault: inFunction('AcknowledgedResponse.end').replace(
      'this.unacknowledged === 0',
      'this.unacknowledged >= 0',
    ),
    killedBy: byConnections,
    test: 'as soon as it has read its whole answer',
  },
  {
    name: 'a call that its client abandons is not counted',
    file: openCharge,
    fault: inFunction('settle').remove("if (end === 'abandoned') this.whenAbandoned();"),
    killedBy: byOpenCharge,
  },
  {
    name: 'a search beyond the balance is always run',
    file: 'apps/gateway/src/creators/unpayable-searches.ts',
    fault: inFunction('admit').replace('known >= highestPrice', 'known >= 0'),
    killedBy: ['apps/gateway/src/creators/unpayable-searches.int-spec.ts'],
    test: 'are run 20 times an hour',
  },
  {
    name: 'any profile is unchanged for *',
    file: 'apps/gateway/src/routes/get-creator-profile/profile-tags.ts',
    fault: inFunction('isNamed').replace(
      "header?.trim() !== '*' && $NAMED",
      "header?.trim() === '*' || $NAMED",
    ),
    killedBy: ['apps/gateway/src/routes/get-creator-profile/unchanged-profile.int-spec.ts'],
  },
  {
    name: 'a slow reader gets its answer for nothing',
    file: openCharge,
    fault: inFunction('begin').replace('this.exchange.abort()', '{}'),
    killedBy: byOpenCharge,
  },
  {
    name: 'voids are never sent',
    file: openCharge,
    fault: inFunction('settle').replace(
      'if ($ENDED) return;',
      "if ($ENDED || end !== 'handed_over') return;",
    ),
    killedBy: byOpenCharge,
  },
  {
    name: 'a settlement that was not acknowledged is dropped',
    file: settler,
    fault: inFunction('run').replace('$FAILURES += 1;', 'this.waiting.splice(0, batch.length);'),
    killedBy: bySettler,
  },
  {
    name: 'a settlement that was acknowledged is sent again',
    file: settler,
    fault: inFunction('run').replace(
      'this.waiting.splice($$$);',
      'if (failures > 0) $MATCH else { failures = 1; this.report(batch, reply); continue; }',
    ),
    killedBy: bySettler,
  },
  {
    name: 'a settlement that comes while the sending ends waits for the next one',
    file: settler,
    fault: inFunction('run').replace('this.running = undefined;', 'await Promise.resolve(); $MATCH'),
    killedBy: bySettler,
  },
];
