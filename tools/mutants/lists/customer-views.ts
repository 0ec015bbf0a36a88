import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const calls = 'apps/billing/src/calls/calls.repository.ts';
const view = 'apps/billing/src/calls/call-view.ts';
const deprecation = 'apps/gateway/src/deprecation/announce-deprecation.ts';
const statements = 'apps/billing/src/statements/statements.repository.ts';
const usage = 'apps/billing/src/usage/usage.repository.ts';
const byStatements = ['apps/billing/src/statements/statements.int-spec.ts'];
const byStatementPlans = ['apps/billing/src/statements/statement-plan.int-spec.ts'];
const byFreeCalls = ['apps/billing/src/usage/old-free-calls.int-spec.ts'];
const byCalls = ['apps/billing/src/calls/calls.int-spec.ts'];
const byPlans = ['apps/billing/src/calls/calls-plan.int-spec.ts'];

/** What customers see of their calls, and of the end of a version. */
export const customerViews: Mutant[] = [
  {
    name: 'the balance of a page begins with what the account has now',
    file: statements,
    fault: inSql('coalesce($5::numeric,').replaceWith('coalesce(NULLIF($5::numeric, $5::numeric),'),
    killedBy: byStatements,
  },
  {
    name: 'a page of a statement reads all entries that are newer',
    file: statements,
    fault: inSql('OR id < $3) AND ($4').replaceWith('OR id + 0 < $3) AND ($4'),
    killedBy: byStatementPlans,
  },
  {
    name: 'free calls are lost from usage when their charges are deleted',
    file: usage,
    fault: inSql('UNION ALL').replaceWith('EXCEPT'),
    killedBy: byFreeCalls,
  },
  {
    name: 'a second batch of free calls replaces the count of the first',
    file: usage,
    fault: inSql('known.calls + excluded.calls').replaceWith('excluded.calls'),
    killedBy: byFreeCalls,
  },
  {
    name: 'free calls are deleted a day early',
    file: usage,
    fault: inSql("interval '90 days'").replaceWith("interval '89 days'"),
    killedBy: byFreeCalls,
  },
  {
    name: 'the counts of free calls go while reports show them',
    file: usage,
    fault: inSql('::date - 400').replaceWith('::date - 360'),
    killedBy: byFreeCalls,
  },
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
