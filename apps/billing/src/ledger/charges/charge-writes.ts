import { counter } from '#platform';
import { type SqlStatement } from '#platform/database';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { countWritten } from '../lots/entries.repository.js';
import { type SpendingChange } from '../rules/key-budgets.js';
import { type LedgerWrites } from '../rules/ledger-batch.js';
import { type StoredCharge } from '../rules/ledger-state.js';

const timedOutCharges = counter(
  'ledger_timed_out_charges_total',
  'Charges voided because they were not settled in time.',
);
const timedOutCredits = counter('ledger_timed_out_credits_total', 'Credits of these charges.');

const chargeColumns = `id, account_id, key_id, request_id, operation, credits, state, refusal, void_reason, is_abandoned,
    credits_remaining, created_at, pending_until, settled_at, filters, total, idempotency_key_hash, fingerprint, repeat_of`;

/** One statement in place of three: each costs a charge about as much to send and to start as to run. */
const writeSql = `
  WITH made AS (
    INSERT INTO charges (${chargeColumns})
    SELECT ${chargeColumns} FROM json_populate_recordset(NULL::charges, $1::json)
  ), ended AS (
    UPDATE charges
    SET state = settled.state, void_reason = settled.void_reason, is_abandoned = settled.is_abandoned, settled_at = $7
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::boolean[]) AS settled (id, state, void_reason, is_abandoned)
    WHERE charges.id = settled.id AND charges.state = 'pending'
  )
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
  SELECT account_id, lot_id, type, credits, charge_id, $7 FROM json_populate_recordset(NULL::ledger_entries, $6::json)`;

/** The statement that writes charges and their entries, if any; they are counted once the transaction has committed. */
export function chargesToWrite(
  { now, onCommit }: LockedAccounts,
  { newCharges, settledCharges: settled, entries }: LedgerWrites,
): SqlStatement[] {
  if (newCharges.length + settled.length === 0) return [];
  onCommit(() => {
    countWritten(entries);
    const timedOut = settled.filter(({ voidReason }) => voidReason === 'timed_out');
    timedOutCharges.inc(timedOut.length);
    timedOutCredits.inc(timedOut.reduce((sum, { credits }) => sum + credits, 0));
  });
  const parameters = [
    JSON.stringify(newCharges.map(toRow)),
    settled.map((charge) => charge.id),
    settled.map((charge) => charge.state),
    settled.map((charge) => charge.voidReason),
    settled.map((charge) => charge.isAbandoned),
    JSON.stringify(
      entries.map(({ accountId: account_id, lotId: lot_id, type, credits, chargeId: charge_id }) => ({
        account_id,
        lot_id,
        type,
        credits,
        charge_id,
      })),
    ),
    now,
  ];
  return [{ name: 'write charges', sql: writeSql, parameters }];
}

function toRow(charge: StoredCharge) {
  return {
    id: charge.id,
    account_id: charge.accountId,
    key_id: charge.keyId,
    request_id: charge.requestId,
    operation: charge.operation,
    credits: charge.credits,
    state: charge.state,
    refusal: charge.refusal,
    void_reason: charge.voidReason,
    is_abandoned: charge.isAbandoned,
    credits_remaining: charge.creditsRemaining,
    created_at: charge.createdAt,
    pending_until: charge.pendingUntil,
    settled_at: charge.settledAt,
    filters: charge.filters,
    total: charge.total,
    idempotency_key_hash: charge.idempotency?.keyHash,
    fingerprint: charge.idempotency?.fingerprint,
    repeat_of: charge.repeatOf,
  };
}

/** Another account may have set a tombstone with the same id meanwhile: the first one wins. */
const insertTombstonesSql = `
  INSERT INTO charge_tombstones (charge_id, account_id, created_at)
  SELECT charge_id, account_id, $3 FROM unnest($1::uuid[], $2::uuid[]) AS tombstone (charge_id, account_id)
  ON CONFLICT (charge_id) DO NOTHING`;

export function tombstonesToInsert(tombstones: LedgerWrites['tombstones'], now: Date): SqlStatement[] {
  if (tombstones.length === 0) return [];
  const parameters = [
    tombstones.map((tombstone) => tombstone.chargeId),
    tombstones.map((tombstone) => tombstone.accountId),
    now,
  ];
  return [{ name: 'insert charge tombstones', sql: insertTombstonesSql, parameters }];
}

/** A month that is over for the key is not counted any more. Served by `api_keys_pk`. */
const addSpendingSql = `
  UPDATE api_keys
  SET spent = greatest(CASE WHEN spent_since = change.month THEN spent ELSE 0 END + change.credits, 0), spent_since = change.month
  FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[]) AS change (key_id, month, credits)
  WHERE api_keys.id = change.key_id AND monthly_limit IS NOT NULL AND spent_since <= change.month`;

/** The statement that adds what keys with a monthly limit have spent, if any. */
export function spendingToAdd(changes: readonly SpendingChange[]): SqlStatement[] {
  if (changes.length === 0) return [];
  const parameters = [
    changes.map((change) => change.keyId),
    changes.map((change) => change.month),
    changes.map((change) => change.credits),
  ];
  return [{ name: 'add spending of keys', sql: addSpendingSql, parameters }];
}
