import { type Mutant } from '../mutant.js';

const purchases = 'apps/billing/src/purchases/purchases.service.ts';
const adjustments = 'apps/billing/src/adjustments/adjustments.service.ts';
const grants = 'apps/billing/src/agreements/grant-due.ts';
const keys = 'apps/billing/src/api-keys/api-keys.service.ts';
const byPurchases = ['apps/billing/src/purchases/purchases.int-spec.ts'];
const byAdjustments = ['apps/billing/src/adjustments/adjustments.int-spec.ts'];
const byAgreements = ['apps/billing/src/agreements/agreements.int-spec.ts'];
const byRevocations = ['apps/billing/src/api-keys/revocation-lock.int-spec.ts'];

const bought: Mutant[] = [
  {
    name: 'a purchase sent again adds again',
    file: purchases,
    from: 'stored?.id ?? (await this.add(locked, request, terms))',
    to: 'await this.add(locked, request, terms)',
    killedBy: byPurchases,
  },
  {
    name: 'a purchase is found under the reference of another account',
    file: purchases,
    from: 'FROM lots WHERE account_id = $1 AND reference = $2',
    to: 'FROM lots WHERE $1::uuid IS NOT NULL AND reference = $2',
    killedBy: byPurchases,
  },
  {
    name: 'a reference covers a purchase of other content',
    file: purchases,
    from: 'if (stored) refuseOtherContent(stored, request, terms);',
    to: '',
    killedBy: byPurchases,
  },
  {
    name: 'a purchase may lie in the future',
    file: purchases,
    from: 'if (purchasedAt.getTime() > locked.now.getTime()) {',
    to: 'if (purchasedAt.getTime() > locked.now.getTime() + 1) {',
    killedBy: byPurchases,
  },
  {
    name: 'credits live for 31 days',
    file: 'apps/billing/src/purchases/lots.ts',
    from: 'const lifetimeMs = 30 *',
    to: 'const lifetimeMs = 31 *',
    killedBy: byPurchases,
  },
  {
    name: 'an account may hold more than its limit',
    file: 'apps/billing/src/purchases/credit-limit.ts',
    from: 'row.held + credits <= accountCreditsMax',
    to: 'row.held <= accountCreditsMax',
    killedBy: byPurchases,
  },
  {
    name: 'an Enterprise credit costs a cent less than agreed at least',
    file: 'apps/billing/src/purchases/packs.ts',
    from: 'const enterpriseCentsPerCreditMin = 18;',
    to: 'const enterpriseCentsPerCreditMin = 17;',
    killedBy: ['apps/billing/src/purchases/packs.spec.ts'],
  },
];

const adjusted: Mutant[] = [
  {
    name: 'a correction goes below zero',
    file: adjustments,
    from: "if (allocation.outcome === 'insufficient') {",
    to: "if (allocation.outcome === 'insufficient') {\n    return [{ lotId: lots[0].id, credits }];",
    killedBy: byAdjustments,
  },
  {
    name: 'a correction gives',
    file: adjustments,
    from: 'credits: -part.credits',
    to: 'credits: part.credits',
    killedBy: byAdjustments,
  },
  {
    name: 'an adjustment sent again counts again',
    file: adjustments,
    from: 'stored ?? (await store(locked, request))',
    to: 'await store(locked, request)',
    killedBy: byAdjustments,
  },
  {
    name: 'a correction leaves overdue charges out',
    file: 'apps/billing/src/ledger/overdue-charges.ts',
    from: 'const voided = await voidOverdueCharges(locked, overdueMax);',
    to: 'const voided = 0;',
    killedBy: byAdjustments,
  },
  {
    name: 'a correction is added to the reported balance',
    file: adjustments,
    from: 'credits_remaining: before + credits',
    to: 'credits_remaining: before - credits',
    killedBy: byAdjustments,
  },
];

const granted: Mutant[] = [
  {
    name: 'a due date is granted with every sweep',
    file: grants,
    from: 'if (granted > 0) await noteGrant(locked.query, agreement.id, grants, due);',
    to: '',
    killedBy: byAgreements,
  },
  {
    name: 'how many due dates were granted is not noted',
    file: 'apps/billing/src/agreements/agreements.repository.ts',
    from: 'SET grants = $2, next_due_at = $3 WHERE id = $1',
    to: 'SET grants = grants + 0 * $2::integer, next_due_at = $3 WHERE id = $1',
    killedBy: byAgreements,
  },
  {
    name: 'of several missed due dates one is granted',
    file: grants,
    from: 'while (due.getTime() <= locked.now.getTime()) {',
    to: 'if (due.getTime() <= locked.now.getTime()) {',
    killedBy: byAgreements,
  },
  {
    name: 'missed due dates are skipped',
    file: grants,
    from: 'grants += 1;\n    due = dueDate(agreement.starts_at, grants);',
    to: 'do due = dueDate(agreement.starts_at, ++grants);\n    while (due.getTime() <= locked.now.getTime());',
    killedBy: byAgreements,
  },
  {
    name: 'a due date is granted a moment late',
    file: grants,
    from: 'while (due.getTime() <= locked.now.getTime()) {',
    to: 'while (due.getTime() < locked.now.getTime()) {',
    killedBy: byAgreements,
  },
  {
    name: 'a late grant lives from its due date',
    file: grants,
    from: 'purchasedAt: locked.now,',
    to: 'purchasedAt: due,',
    killedBy: byAgreements,
  },
  {
    name: 'a due date runs over the end of a shorter month',
    file: 'apps/billing/src/agreements/due-dates.ts',
    from: 'Math.min(startsAt.getUTCDate(), lastDay)',
    to: 'startsAt.getUTCDate()',
    killedBy: ['apps/billing/src/agreements/due-dates.spec.ts'],
  },
  {
    name: 'a month has 30 days',
    file: 'apps/billing/src/agreements/due-dates.ts',
    from: 'return due;',
    to: 'return new Date(startsAt.getTime() + index * 30 * 24 * 3_600_000);',
    killedBy: ['apps/billing/src/agreements/due-dates.spec.ts'],
  },
  {
    name: 'a due date that has come is lost when the agreement ends',
    file: 'apps/billing/src/agreements/agreements.service.ts',
    from: 'await grantDue(locked, agreement);',
    to: '',
    killedBy: byAgreements,
  },
];

const revoked: Mutant[] = [
  {
    name: 'a key is switched off without the lock',
    file: keys,
    from: 'await withLockedAccounts(this.dataSource, [account_id], change, { remainingMs })',
    to: 'await change({ query: autocommitQuery(this.dataSource) })',
    killedBy: byRevocations,
  },
  {
    name: 'a key is deleted without the lock',
    file: keys,
    from: `await withLockedAccounts(
      this.dataSource,
      [account_id],
      ({ query, now }) => markDeleted(query, account_id, key_id, now),
      { remainingMs },
    );`,
    to: `await (async () => {
      const [row] = await this.dataSource.query(
        'WITH deleted AS (UPDATE api_keys SET deleted_at = ledger_now() WHERE id = $1 RETURNING hash) SELECT hash FROM deleted',
        [key_id],
      );
      return row.hash;
    })();`,
    killedBy: byRevocations,
  },
  {
    name: 'a key that is switched off is let in',
    file: 'apps/billing/src/api-keys/api-keys.repository.ts',
    from: 'WHERE hash = ANY($1) AND active AND deleted_at IS NULL',
    to: 'WHERE hash = ANY($1) AND deleted_at IS NULL',
    killedBy: ['apps/billing/src/api-keys/api-keys.int-spec.ts'],
  },
];

export const credits = [...bought, ...adjusted, ...granted, ...revoked];
