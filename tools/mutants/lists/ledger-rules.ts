import { type Mutant } from '../mutant.js';

const allocation = 'apps/billing/src/ledger/allocate.ts';
const order = 'apps/billing/src/ledger/lot-order.ts';
const batch = 'apps/billing/src/ledger/ledger-batch.ts';
const byAllocation = ['apps/billing/src/ledger/allocate.spec.ts'];
const byOrder = ['apps/billing/src/ledger/lot-order.int-spec.ts'];
const byModel = ['apps/billing/src/ledger/ledger-batch.spec.ts'];
const byCharges = ['apps/billing/src/ledger/charge.service.int-spec.ts'];
const byStrangers = ['apps/billing/src/ledger/charge-strangers.int-spec.ts'];

/** Which lots pay. */
const allocations: Mutant[] = [
  {
    name: 'the newest lot pays first',
    file: allocation,
    from: '[...lots].sort(byPurchase)',
    to: '[...lots].sort((a, b) => byPurchase(b, a))',
    killedBy: byAllocation,
  },
  {
    name: 'lots are taken as they come',
    file: allocation,
    from: '[...lots].sort(byPurchase)',
    to: 'lots',
    killedBy: byAllocation,
  },
  {
    name: 'lots of one instant have no order',
    file: order,
    from: 'return a.id < b.id ? -1 : 1;',
    to: 'return 0;',
    killedBy: byOrder,
  },
  {
    name: 'lots of one instant have no order in SQL',
    file: order,
    from: '`${table}.purchased_at, ${table}.id`',
    to: '`${table}.purchased_at`',
    killedBy: byOrder,
  },
  {
    name: 'a lot can be spent at the instant of its expiry',
    file: allocation,
    from: 'lot.expiresAt.getTime() <= at.getTime()',
    to: 'lot.expiresAt.getTime() < at.getTime()',
    killedBy: byAllocation,
  },
  {
    name: 'an expired lot pays',
    file: allocation,
    from: 'if (lot.remaining === 0 || isExpired(lot, at)) continue;',
    to: 'if (lot.remaining === 0) continue;',
    killedBy: byAllocation,
  },
  {
    name: 'a balance that is one short is enough',
    file: allocation,
    from: 'if (available < cost)',
    to: 'if (available < cost - 1)',
    killedBy: byAllocation,
  },
  {
    name: 'a balance of exactly the cost is not enough',
    file: allocation,
    from: 'if (available < cost)',
    to: 'if (available <= cost)',
    killedBy: byAllocation,
  },
  {
    name: 'the first lot pays more than it has',
    file: allocation,
    from: 'Math.min(lot.remaining, missing)',
    to: 'missing',
    killedBy: byAllocation,
  },
];

/** What a charge takes and answers. */
const charges: Mutant[] = [
  {
    name: 'what a charge took is added to the balance of its batch',
    file: batch,
    from: '{ lotId: part.lotId, credits: -part.credits }',
    to: '{ lotId: part.lotId, credits: part.credits }',
    killedBy: byModel,
  },
  {
    name: 'the entry of a charge is positive',
    file: batch,
    from: "'charge', -part.credits",
    to: "'charge', part.credits",
    killedBy: byCharges,
  },
  {
    name: 'the balance before the charge is reported',
    file: batch,
    from: 'creditsRemaining: balance - credits,',
    to: 'creditsRemaining: balance,',
    killedBy: byCharges,
  },
  {
    name: 'a refused charge takes what there is',
    file: batch,
    from: "return { state: 'refused', refusal: 'insufficient_credits', ...nothingTaken };",
    to: `const fromLots = lots.filter(({ remaining }) => remaining > 0).map(({ id, remaining }) => ({ lotId: id, credits: remaining }));
      return { state: 'refused', refusal: 'insufficient_credits', ...nothingTaken, fromLots };`,
    killedBy: byCharges,
  },
  {
    name: 'a charge of 0 writes an entry',
    file: batch,
    from: "if (credits === 0) return { state: 'posted', refusal: null, ...nothingTaken };",
    to: `if (credits === 0) {
      const fromLots = lots.slice(0, 1).map(({ id }) => ({ lotId: id, credits: 0 }));
      return { state: 'posted', refusal: null, ...nothingTaken, fromLots };
    }`,
    killedBy: ['apps/billing/src/audit/audit.service.int-spec.ts'],
  },
  {
    name: 'a charge of 0 is left pending',
    file: batch,
    from: "if (credits === 0) return { state: 'posted', refusal: null, ...nothingTaken };",
    to: '',
    killedBy: byModel,
  },
  {
    name: 'a repeated charge charges again',
    file: batch,
    from: 'if (stored) return replyOf(sameCharge(stored, request));',
    to: '',
    killedBy: byCharges,
  },
  {
    name: 'a repeated charge reports the balance of now',
    file: batch,
    from: 'if (stored) return replyOf(sameCharge(stored, request));',
    to: `if (stored) {
      const creditsRemaining = availableCredits(this.lots.get(accountId) ?? [], this.state.now);
      return replyOf({ ...sameCharge(stored, request), creditsRemaining });
    }`,
    killedBy: byCharges,
  },
  {
    name: 'a charge id covers a call of another price',
    file: batch,
    from: 'stored.credits === request.credits',
    to: 'stored.credits >= 0',
    killedBy: byCharges,
  },
  {
    name: 'a charge id covers a call of another account',
    file: batch,
    from: 'stored.accountId === request.account_id &&\n    stored.keyId === request.key_id &&',
    to: '',
    killedBy: byCharges,
  },
  {
    name: 'whether the key is active is not checked again',
    file: batch,
    from: "if (!keyIsActive) return { state: 'refused', refusal: 'key_revoked', ...nothingTaken };",
    to: '',
    killedBy: byCharges,
  },
  {
    name: 'a key of another account pays',
    file: batch,
    from: 'key?.accountId !== accountId',
    to: 'key === undefined',
    killedBy: byCharges,
  },
];

/** What posts and voids do. */
const settlements: Mutant[] = [
  {
    name: 'a charge is pending at the instant of its time-out',
    file: 'apps/billing/src/ledger/ledger-state.ts',
    from: 'charge.pendingUntil <= at',
    to: 'charge.pendingUntil < at',
    killedBy: byCharges,
  },
  {
    name: "an overdue charge of an account that isn't locked is voided",
    file: batch,
    from: ' && accountIds.has(charge.accountId)',
    to: '',
    killedBy: byStrangers,
  },
  {
    name: 'a void takes again',
    file: batch,
    from: "'reversal', part.credits",
    to: "'reversal', -part.credits",
    killedBy: byCharges,
  },
  {
    name: 'a void gives back half',
    file: batch,
    from: "'reversal', part.credits",
    to: "'reversal', Math.ceil(part.credits / 2)",
    killedBy: byCharges,
  },
  {
    name: 'a void gives back to the newest lot',
    file: batch,
    from: "this.entries.push(entryOf(charge, part.lotId, 'reversal', part.credits));",
    to: `const newest = this.lots.get(charge.accountId)?.at(-1)?.id ?? part.lotId;
      this.entries.push(entryOf(charge, newest, 'reversal', part.credits));`,
    killedBy: byModel,
  },
  {
    name: 'a void gives back twice',
    file: batch,
    from: "this.entries.push(entryOf(charge, part.lotId, 'reversal', part.credits));",
    to: `this.entries.push(entryOf(charge, part.lotId, 'reversal', part.credits));
      this.entries.push(entryOf(charge, part.lotId, 'reversal', part.credits));`,
    killedBy: byCharges,
  },
  {
    name: 'a repeated void gives back again',
    file: batch,
    from: "if (charge.state === 'pending') {",
    to: "if (charge.state === 'pending' || (charge.state === 'voided' && outcome === 'voided')) {",
    killedBy: byModel,
  },
  {
    name: 'a posted charge can be voided',
    file: batch,
    from: "if (charge.state === 'pending') {",
    to: "if (charge.state === 'pending' || (charge.state === 'posted' && outcome === 'voided')) {",
    killedBy: byModel,
  },
  {
    name: 'what returns to an expired lot does not expire',
    file: batch,
    from: "if (!returned) this.entries.push(entryOf(charge, part.lotId, 'expiry', -part.credits));",
    to: 'void returned;',
    killedBy: byCharges,
  },
  {
    name: 'a post that comes after the time-out is posted',
    file: batch,
    from: "charge.voidReason === 'timed_out' ? 'expired' : 'voided'",
    to: "charge.voidReason === 'timed_out' ? 'posted' : 'voided'",
    killedBy: byCharges,
  },
  {
    name: "another account's charge is settled",
    file: batch,
    from: "if (charge && charge.accountId !== accountId) return 'unknown_charge';",
    to: '',
    killedBy: byCharges,
  },
  {
    name: 'a void before its charge leaves no tombstone',
    file: batch,
    from: 'this.newTombstones.push({ chargeId, accountId });',
    to: '',
    killedBy: byCharges,
  },
  {
    name: 'a tombstone is ignored',
    file: batch,
    from: "if (tombstone !== undefined) return { outcome: 'voided' };",
    to: '',
    killedBy: byCharges,
  },
  {
    name: "another account's tombstone answers a charge",
    file: batch,
    from: 'if (tombstone !== undefined && tombstone !== accountId) throw chargeIdInUse();',
    to: '',
    killedBy: byStrangers,
  },
  {
    name: "another account's tombstone answers a void",
    file: batch,
    from: "if (tombstone === accountId) return 'voided';",
    to: "if (tombstone !== undefined) return 'voided';",
    killedBy: byStrangers,
  },
];

export const ledgerRules = [...allocations, ...charges, ...settlements];
