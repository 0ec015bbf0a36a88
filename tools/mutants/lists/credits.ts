import { type Mutant } from '../mutant.js';
import { inFile, inFunction } from '../planting/fault.js';

const purchases = 'apps/billing/src/purchases/purchases.service.ts';
const adjustments = 'apps/billing/src/adjustments/adjustments.service.ts';
const grants = 'apps/billing/src/agreements/due-grants.ts';
const lots = 'apps/billing/src/ledger/lots/lots.repository.ts';
const keys = 'apps/billing/src/api-keys/api-keys.service.ts';
const byPurchases = ['apps/billing/src/purchases/purchases.int-spec.ts'];
const byAdjustments = ['apps/billing/src/adjustments/adjustments.int-spec.ts'];
const byAgreements = ['apps/billing/src/agreements/agreements.int-spec.ts'];
const byRevocations = ['apps/billing/src/api-keys/revocation-lock.int-spec.ts'];

const bought: Mutant[] = [
  {
    name: 'a purchase sent again adds again',
    file: purchases,
    fault: inFunction('purchaseLocked').replace('$STORED?.id ?? $ADDED', '$ADDED'),
    killedBy: byPurchases,
  },
  {
    name: 'a purchase is found under the reference of another account',
    file: lots,
    fault: inFunction('findByReference').replace('({ accountId, reference })', '{ reference }'),
    killedBy: byPurchases,
  },
  {
    name: 'a reference covers a purchase of other content',
    file: purchases,
    fault: inFunction('purchaseLocked').remove('if ($STORED) refuseOtherContent($$$);'),
    killedBy: byPurchases,
  },
  {
    name: 'a purchase may lie in the future',
    file: purchases,
    fault: inFunction('add').replace('$AT.getTime() > $LOCKED.now.getTime()', '$MATCH + 1'),
    killedBy: byPurchases,
  },
  {
    name: 'credits live for 31 days',
    file: lots,
    fault: inFile.replace('30 * 24', '31 * 24'),
    killedBy: byPurchases,
  },
  {
    name: 'an account may hold more than its limit',
    file: 'apps/billing/src/purchases/credit-limit.ts',
    fault: inFunction('refuseAbove').replace('$HELD + $CREDITS <= $MAX', '$HELD <= $MAX'),
    killedBy: byPurchases,
  },
];

const adjusted: Mutant[] = [
  {
    name: 'a correction goes below zero',
    file: adjustments,
    fault: inFunction('takeOldest').replace(
      "if ($ALLOCATION.outcome === 'insufficient') $REFUSES;",
      "if ($ALLOCATION.outcome === 'insufficient') return [{ lotId: lots[0].id, credits }];",
    ),
    killedBy: byAdjustments,
  },
  {
    name: 'a correction gives',
    file: adjustments,
    fault: inFunction('takeOldest').replace('credits: -$CREDITS', 'credits: $CREDITS'),
    killedBy: byAdjustments,
  },
  {
    name: 'an adjustment sent again counts again',
    file: adjustments,
    fault: inFunction('adjustLocked').replace('$STORED ?? $NEW', '$NEW'),
    killedBy: byAdjustments,
  },
  {
    name: 'a correction leaves overdue charges out',
    file: 'apps/billing/src/ledger/charges/overdue-charges.ts',
    fault: inFunction('runWithAllVoided').replace('await this.voidAll($$$)', '0'),
    killedBy: byAdjustments,
  },
  {
    name: 'a correction is added to the reported balance',
    file: adjustments,
    fault: inFile.replace('creditsRemaining: $BEFORE + $CREDITS', 'creditsRemaining: $BEFORE - $CREDITS'),
    killedBy: byAdjustments,
  },
];

const granted: Mutant[] = [
  {
    name: 'a due date is granted with every sweep',
    file: grants,
    fault: inFunction('grant').remove('if ($GRANTED > 0) await this.agreements.noteGrant($$$);'),
    killedBy: byAgreements,
  },
  {
    name: 'how many due dates were granted is not noted',
    file: 'apps/billing/src/agreements/agreements.repository.ts',
    fault: inFunction('noteGrant').replace('({ grants, nextDueAt })', '{ nextDueAt }'),
    killedBy: byAgreements,
  },
  {
    name: 'of several missed due dates one is granted',
    file: grants,
    fault: inFunction('grant').replace('while ($DUE) $GRANTS;', 'if ($DUE) $GRANTS'),
    killedBy: byAgreements,
  },
  {
    name: 'missed due dates are skipped',
    file: grants,
    fault: inFunction('grant').replace(
      '$DUE = dueDate($START, $COUNT);',
      'do $DUE = dueDate($START, $COUNT); while ($DUE.getTime() <= locked.now.getTime() && ++$COUNT);',
    ),
    killedBy: byAgreements,
  },
  {
    name: 'a due date is granted a moment late',
    file: grants,
    fault: inFunction('grant').replace('$DUE.getTime() <= $NOW.getTime()', '$DUE.getTime() < $NOW.getTime()'),
    killedBy: byAgreements,
  },
  {
    name: 'a late grant lives from its due date',
    file: grants,
    fault: inFunction('grant').replace('purchasedAt: $NOW', 'purchasedAt: due'),
    killedBy: byAgreements,
  },
  {
    name: 'a due date that has come is lost when the agreement ends',
    file: 'apps/billing/src/agreements/agreements.service.ts',
    fault: inFunction('endLocked').remove('await this.grants.grant($$$);'),
    killedBy: byAgreements,
  },
];

const revoked: Mutant[] = [
  {
    name: 'a key is switched off without the lock',
    file: keys,
    fault: inFunction('update').replace(
      'this.transactions.run($IDS, $CHANGE, $$$)',
      '$CHANGE(this.database)',
    ),
    killedBy: byRevocations,
  },
  {
    name: 'a key is deleted without the lock',
    file: keys,
    fault: inFunction('ApiKeysService.remove').replace(
      'this.transactions.run($IDS, $DELETE, $$$)',
      '$DELETE({ manager: this.database.manager, now: new Date() })',
    ),
    killedBy: byRevocations,
  },
  {
    name: 'a key that is switched off is let in',
    file: 'apps/billing/src/api-keys/api-keys.repository.ts',
    fault: inFunction('findUsable').replace(
      '({ hash: $HASHES, active: true, deletedAt: $NULL })',
      '{ hash: $HASHES, deletedAt: $NULL }',
    ),
    killedBy: ['apps/billing/src/api-keys/api-keys.int-spec.ts'],
  },
];

export const credits: readonly Mutant[] = [...bought, ...adjusted, ...granted, ...revoked];
