import { type Mutant } from '../mutant.js';
import { inFile, inFunction } from '../planting/fault.js';

const order = 'apps/billing/src/ledger/rules/lot-order.ts';
const batch = 'apps/billing/src/ledger/rules/ledger-batch.ts';
const byModel = ['apps/billing/src/ledger/rules/ledger-batch.spec.ts'];
const byCharges = ['apps/billing/src/ledger/charges/charge.service.int-spec.ts'];

/** Wrong rules that no changed operator or condition amounts to: those are Stryker's (stryker.config.mjs). */
export const ledgerRules: readonly Mutant[] = [
  {
    name: 'lots of one instant have no order in SQL',
    file: order,
    fault: inFunction('lotOrder').replace(
      '`${$TABLE}.purchased_at, ${$TABLE}.id`',
      '`${$TABLE}.purchased_at`',
    ),
    killedBy: ['apps/billing/src/ledger/lots/lot-order.int-spec.ts'],
  },
  {
    name: 'a refused charge takes what there is',
    file: batch,
    fault: inFunction('decide').replace(
      "return refused('insufficient_credits');",
      `{
        const left = lots.filter(({ remaining }) => remaining > 0);
        const fromLots = left.map(({ id, remaining }) => ({ lotId: id, credits: remaining }));
        return { ...refused('insufficient_credits'), fromLots };
      }`,
    ),
    killedBy: byCharges,
  },
  {
    name: 'a charge of 0 writes an entry',
    file: batch,
    fault: inFunction('decide').replace(
      'if ($CREDITS === 0) $RETURNS;',
      `if ($CREDITS === 0) {
         const fromLots = lots.slice(0, 1).map(({ id }) => ({ lotId: id, credits: 0 }));
         return { ...posted, fromLots };
       }`,
    ),
    killedBy: ['apps/billing/src/audit/audit.service.int-spec.ts'],
  },
  {
    name: 'a repeated charge reports the balance of now',
    file: batch,
    fault: inFunction('LedgerBatch.charge').replace(
      'replyOf(sameCharge($STORED, $REQUEST))',
      `replyOf({
         ...sameCharge($STORED, $REQUEST),
         creditsRemaining: availableCredits(this.lots.get($STORED.accountId) ?? [], this.state.now),
       })`,
    ),
    killedBy: byCharges,
  },
  {
    name: 'a void takes again',
    file: batch,
    fault: inFile.replace(
      "entryOf($CHARGE, $LOT, 'reversal', $CREDITS)",
      "entryOf($CHARGE, $LOT, 'reversal', -$CREDITS)",
    ),
    killedBy: byCharges,
  },
  {
    name: 'a void gives back half',
    file: batch,
    fault: inFile.replace(
      "entryOf($CHARGE, $LOT, 'reversal', $CREDITS)",
      "entryOf($CHARGE, $LOT, 'reversal', Math.ceil($CREDITS / 2))",
    ),
    killedBy: byCharges,
  },
  {
    name: 'a void gives back to the newest lot',
    file: batch,
    fault: inFile.replace(
      "entryOf($CHARGE, $LOT, 'reversal', $CREDITS)",
      "entryOf($CHARGE, this.lots.get($CHARGE.accountId)?.at(-1)?.id ?? $LOT, 'reversal', $CREDITS)",
    ),
    killedBy: byModel,
  },
  {
    name: 'a void gives back twice',
    file: batch,
    fault: inFile.replace(
      "this.entries.push(entryOf($CHARGE, $LOT, 'reversal', $CREDITS));",
      '$MATCH $MATCH',
    ),
    killedBy: byCharges,
  },
  {
    name: 'a repeated void gives back again',
    file: batch,
    fault: inFunction('LedgerBatch.settle').replace(
      "$CHARGE.state === 'pending'",
      "$MATCH || ($CHARGE.state === 'voided' && outcome === 'voided')",
    ),
    killedBy: byModel,
  },
  {
    name: 'an Enterprise credit costs a cent less than agreed at least',
    file: 'libs/contracts/src/billing/price-list.ts',
    fault: inFile.replace('centsPerCredit: 18', 'centsPerCredit: 17'),
    killedBy: ['apps/billing/src/purchases/packs.spec.ts'],
  },
];
