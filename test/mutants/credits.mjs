const purchases = 'apps/billing/src/purchases/purchases.service.ts';
const adjustments = 'apps/billing/src/adjustments/adjustments.service.ts';
const grants = 'apps/billing/src/agreements/due-grants.ts';
const lots = 'apps/billing/src/ledger/lots.repository.ts';
const keys = 'apps/billing/src/api-keys/api-keys.service.ts';
const byPurchases = ['apps/billing/src/purchases/purchases.int-spec.ts'];
const byAdjustments = ['apps/billing/src/adjustments/adjustments.int-spec.ts'];
const byAgreements = ['apps/billing/src/agreements/agreements.int-spec.ts'];
const byRevocations = ['apps/billing/src/api-keys/revocation-lock.int-spec.ts'];

const bought = [
  {
    name: 'a purchase sent again adds again',
    file: purchases,
    from: 'stored?.id ?? (await this.add(locked, request, terms))',
    to: 'await this.add(locked, request, terms)',
    killedBy: byPurchases,
  },
  {
    name: 'a purchase is found under the reference of another account',
    file: lots,
    from: 'findOneBy(Lot, { accountId, reference })',
    to: 'findOneBy(Lot, { reference })',
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
    file: lots,
    from: 'const lifetimeMs = 30 *',
    to: 'const lifetimeMs = 31 *',
    killedBy: byPurchases,
  },
  {
    name: 'an account may hold more than its limit',
    file: 'apps/billing/src/purchases/credit-limit.ts',
    from: 'held + credits <= accountCreditsMax',
    to: 'held <= accountCreditsMax',
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

const adjusted = [
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
    from: 'stored ?? (await this.store(locked, request))',
    to: 'await this.store(locked, request)',
    killedBy: byAdjustments,
  },
  {
    name: 'a correction leaves overdue charges out',
    file: 'apps/billing/src/ledger/overdue-charges.ts',
    from: 'const voided = await this.voidAll(locked, overdueMax);',
    to: 'const voided = 0;',
    killedBy: byAdjustments,
  },
  {
    name: 'a correction is added to the reported balance',
    file: adjustments,
    from: 'creditsRemaining: before + credits',
    to: 'creditsRemaining: before - credits',
    killedBy: byAdjustments,
  },
];

const granted = [
  {
    name: 'a due date is granted with every sweep',
    file: grants,
    from: 'if (granted > 0) await this.agreements.noteGrant(locked, agreement.id, grants, due);',
    to: '',
    killedBy: byAgreements,
  },
  {
    name: 'how many due dates were granted is not noted',
    file: 'apps/billing/src/agreements/agreements.repository.ts',
    from: '{ grants, nextDueAt }',
    to: '{ nextDueAt }',
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
    from: 'grants += 1;\n      due = dueDate(agreement.startsAt, grants);',
    to: 'do due = dueDate(agreement.startsAt, ++grants);\n      while (due.getTime() <= locked.now.getTime());',
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
    from: 'await this.grants.grant(locked, agreement);',
    to: '',
    killedBy: byAgreements,
  },
];

const revoked = [
  {
    name: 'a key is switched off without the lock',
    file: keys,
    from: 'await this.transactions.run([account_id], change, { remainingMs })',
    to: 'await change(this.database)',
    killedBy: byRevocations,
  },
  {
    name: 'a key is deleted without the lock',
    file: keys,
    from: 'await this.transactions.run([account_id], remove, { remainingMs })',
    to: 'await remove({ manager: this.database.manager, now: new Date() })',
    killedBy: byRevocations,
  },
  {
    name: 'a key that is switched off is let in',
    file: 'apps/billing/src/api-keys/api-keys.repository.ts',
    from: 'active: true, deletedAt: IsNull()',
    to: 'deletedAt: IsNull()',
    killedBy: ['apps/billing/src/api-keys/api-keys.int-spec.ts'],
  },
];

export const credits = [...bought, ...adjusted, ...granted, ...revoked];
