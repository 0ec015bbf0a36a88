import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const calls = 'apps/billing/src/calls/calls.repository.ts';
const view = 'apps/billing/src/calls/call-view.ts';
const deprecation = 'apps/gateway/src/deprecation/announce-deprecation.ts';
const byCalls = ['apps/billing/src/calls/calls.int-spec.ts'];
const byPlans = ['apps/billing/src/calls/calls-plan.int-spec.ts'];

/** What customers see of their calls, and of the end of a version. */
export const customerViews: Mutant[] = [
  {
    name: 'calls of other accounts are shown',
    file: calls,
    fault: inSql('account_id = $1 AND').replaceWith('$1::uuid IS NOT NULL AND'),
    killedBy: byCalls,
  },
  {
    name: 'refused calls are shown',
    file: calls,
    fault: inSql("AND state <> 'refused'").remove(),
    killedBy: byCalls,
  },
  {
    name: 'a call is pending until the sweep, whatever its time-out',
    file: calls,
    fault: inSql('pending_until <= (SELECT now FROM clock)').replaceWith('false'),
    killedBy: byCalls,
  },
  {
    name: 'a call is not voided at the instant of its time-out',
    file: calls,
    fault: inSql('pending_until <= (SELECT').replaceWith('pending_until < (SELECT'),
    killedBy: byCalls,
  },
  {
    name: 'a page leaves out calls of the millisecond where the one before ended',
    file: calls,
    fault: inSql('(created_at, id) < ($8, $9::uuid)').replaceWith(
      '(created_at < $8 AND $9::uuid IS NOT NULL)',
    ),
    killedBy: byCalls,
  },
  {
    name: 'a page begins with the call that ended the one before',
    file: calls,
    fault: inSql('(created_at, id) < (').replaceWith('(created_at, id) <= ('),
    killedBy: byCalls,
  },
  {
    name: 'calls of the last day are left out',
    file: calls,
    fault: inSql('created_at < ($4::date + 1)::timestamptz').replaceWith(
      'created_at < $4::date::timestamptz',
    ),
    killedBy: byCalls,
  },
  {
    name: 'a page sorts all calls of the account',
    file: calls,
    fault: inSql('ORDER BY created_at DESC, id DESC').replaceWith(
      "ORDER BY created_at + interval '0' DESC, id DESC",
    ),
    killedBy: byPlans,
  },
  {
    name: 'a voided call shows what had been taken as its cost',
    file: view,
    fault: inFunction('viewOf').replace('credits: $VOIDED ? 0 : $PRICE', 'credits: $PRICE'),
    killedBy: byCalls,
  },
  {
    name: 'a repetition is taken for a search that matched nobody',
    file: view,
    fault: inFunction('reasonOf').remove("if ($REPEAT) return 'repeated';"),
    killedBy: byCalls,
  },
  {
    name: 'the link to the next page is lost where a version is deprecated',
    file: deprecation,
    fault: inFunction('addDeprecation').replace('reply.getHeader($NAME)', 'undefined'),
    killedBy: ['apps/gateway/src/deprecation/deprecation.int-spec.ts'],
  },
];
