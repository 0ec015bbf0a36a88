import { type ChargeRequest } from '#contracts';
import { counter } from '#platform';
import { type Queryable, type SqlStatement } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { EntriesRepository } from '../lots/entries.repository.js';
import { type LedgerWrites } from '../rules/ledger-batch.js';
import { type Idempotency, type LedgerState, type StoredCharge } from '../rules/ledger-state.js';
import { repeatableMs, repeatsMax } from '../rules/repeatable-charges.js';
import { daysToStore, loadAbandonedDays } from './abandoned-days.js';
import { loadKeys, spendingToAdd } from './keys-of-charges.js';
import { LotsRepository, unexpiredAt } from '../lots/lots.repository.js';

/** The ids named by the commands of a batch. */
export interface StateRequest {
  readonly accountIds: readonly string[];
  readonly chargeIds: readonly string[];
  /** The calls to charge. */
  readonly calls: readonly ChargeRequest[];
  /** The account of each abandoned call. */
  readonly abandonedOf: readonly string[];
  /** Most overdue charges to read, oldest first. */
  readonly overdueMax: number;
}

/** The rows read for a batch before its instant is known. */
export type LedgerRows = Pick<LedgerState, 'lots' | 'keys' | 'charges' | 'tombstones' | 'abandoned'>;

/**
 * The statements of batches of charges and settlements. Hand-written: a charge takes two round trips (decision 36), so
 * each statement has one text for any number of rows and stays prepared.
 */
@Injectable()
export class ChargeRepository {
  constructor(
    private readonly lots: LotsRepository,
    private readonly entries: EntriesRepository,
  ) {}

  /** Reads the state for a batch in one round trip; the accounts are locked by then. */
  async load(on: Queryable, request: StateRequest): Promise<LedgerRows> {
    const [lots, keys, charges, tombstones, abandoned] = await Promise.all([
      this.lots.recent(on, request.accountIds),
      loadKeys(
        on,
        request.calls.map((call) => call.key_id),
      ),
      loadCharges(on, request),
      loadTombstones(on, request.chargeIds),
      loadAbandonedDays(on, request.abandonedOf),
    ]);
    return { lots, keys, charges, tombstones, abandoned };
  }

  /** The statements that write the decisions of a batch, in the order to send: entries reference charges. */
  toStatements(locked: LockedAccounts, writes: LedgerWrites): SqlStatement[] {
    return [
      ...chargesToInsert(writes.newCharges),
      ...chargesToSettle(locked, writes.settledCharges),
      ...this.entries.toInsert(locked, writes.entries),
      ...tombstonesToInsert(writes.tombstones, locked.now),
      ...spendingToAdd(writes.spending),
      ...daysToStore(writes.abandoned),
    ];
  }
}

/** The state a batch works on, as of its instant. */
export function stateAt({ now, accountIds }: LockedAccounts, rows: LedgerRows): LedgerState {
  return { ...rows, now, accountIds, lots: unexpiredAt(rows.lots, now) };
}

async function loadTombstones(
  { query }: Queryable,
  chargeIds: readonly string[],
): Promise<Map<string, string>> {
  if (chargeIds.length === 0) return new Map();
  const rows = await query<{ charge_id: string; account_id: string }>(
    'select charge tombstones',
    'SELECT charge_id, account_id FROM charge_tombstones WHERE charge_id = ANY($1::uuid[])',
    [chargeIds],
  );
  return new Map(rows.map((row) => [row.charge_id, row.account_id]));
}

interface ChargeRow {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly request_id: string;
  readonly operation: StoredCharge['operation'];
  readonly credits: number;
  readonly state: StoredCharge['state'];
  readonly refusal: StoredCharge['refusal'];
  readonly void_reason: StoredCharge['voidReason'];
  readonly is_abandoned: boolean;
  readonly credits_remaining: number;
  readonly created_at: Date;
  readonly pending_until: Date;
  readonly settled_at: Date | null;
  readonly filters: string | null;
  readonly total: number | null;
  readonly idempotency_key_hash: string | null;
  readonly fingerprint: string | null;
  readonly repeat_of: string | null;
  readonly repeats: number;
  readonly key_has_limit: boolean;
  readonly lot_ids: string[] | null;
  readonly taken: number[] | null;
}

/** How many charges repeat one, by `charges_repeats`: they are not far from it, even where the clock was put back between. */
const repeatsSql = `
  SELECT count(*)::integer FROM charges AS repeats
  WHERE repeats.repeat_of = charges.id AND repeats.state = 'posted'
    AND repeats.created_at BETWEEN charges.created_at - interval '1 day' AND charges.created_at + interval '1 day'`;

/**
 * Only a pending charge can still be voided, so its parts, and whether its key has a limit, are read only for pending charges.
 * What a charge took was written at its own instant, in the same month.
 */
const selectWanted = `
  SELECT charges.id, charges.account_id, key_id, request_id, operation, charges.credits, state, refusal, void_reason,
    is_abandoned, credits_remaining::float8 AS credits_remaining, charges.created_at, pending_until, settled_at, filters, total,
    idempotency_key_hash, fingerprint, repeat_of,
    CASE WHEN idempotency_key_hash IS NULL THEN 0 ELSE (${repeatsSql}) END AS repeats, parts.lot_ids, parts.taken, limited.id IS NOT NULL AS key_has_limit
  FROM wanted AS charges
  LEFT JOIN LATERAL (
    SELECT array_agg(lot_id::text ORDER BY entries.id) AS lot_ids, array_agg(-entries.credits ORDER BY entries.id) AS taken
    FROM ledger_entries AS entries
    WHERE entries.charge_id = charges.id AND entries.type = 'charge' AND entries.created_at = charges.created_at
  ) AS parts ON charges.state = 'pending'
  LEFT JOIN api_keys AS limited
    ON limited.id = charges.key_id AND limited.monthly_limit IS NOT NULL AND charges.state = 'pending'`;

/**
 * The named charges, of any month, by one probe of each month's key: an id is never charged twice. And the oldest overdue charges of
 * the accounts, found through `charges_pending_of_account`.
 */
export const chargesSql = `
  WITH wanted AS (
    SELECT * FROM charges WHERE id = ANY($2::uuid[])
    UNION
    (SELECT * FROM charges
     WHERE account_id = ANY($1::uuid[]) AND state = 'pending' AND pending_until <= (SELECT ledger_now())
     ORDER BY pending_until LIMIT $3)
  )${selectWanted}`;

/** The clock of a batch is read a moment before its charges, and may have been put back since they were made. */
const clockLeewayMs = 60_000;

/**
 * The youngest charge that each call with an `Idempotency-Key` may repeat, and the one before it, which counts again once the
 * youngest is voided or can no longer be repeated, by `charges_idempotent`. That index has neither
 * calls without one nor voided ones, and the limit keeps PostgreSQL from preferring a scan of the table where callers use
 * the same one again and again. The charge may be too old: the rules decide. A statement of its own, because most batches
 * have no such call.
 */
export const repeatableSql = `
  WITH wanted AS (
    SELECT youngest.*
    FROM unnest($1::text[]) AS calls (idempotency_key_hash)
    CROSS JOIN LATERAL (
      SELECT * FROM charges
      WHERE charges.idempotency_key_hash = calls.idempotency_key_hash AND state IN ('pending', 'posted')
        AND created_at > (SELECT ledger_now()) - interval '${repeatableMs + clockLeewayMs} milliseconds'
        AND created_at < (SELECT ledger_now()) + interval '1 day' AND (${repeatsSql}) < ${repeatsMax}
      ORDER BY created_at DESC LIMIT 2
    ) AS youngest
  )${selectWanted}`;

async function loadCharges(
  { query }: Queryable,
  { accountIds, chargeIds, overdueMax, calls }: StateRequest,
): Promise<Map<string, StoredCharge>> {
  const keyHashes = calls.flatMap((call) => call.idempotency_key_hash ?? []);
  const [named, repeatable] = await Promise.all([
    query<ChargeRow>('select charges', chargesSql, [accountIds, chargeIds, overdueMax]),
    keyHashes.length === 0 ? [] : query<ChargeRow>('select repeatable charges', repeatableSql, [keyHashes]),
  ]);
  return new Map([...named, ...repeatable].map((row) => [row.id, fromRow(row)]));
}

function fromRow(row: ChargeRow): StoredCharge {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    requestId: row.request_id,
    operation: row.operation,
    credits: row.credits,
    state: row.state,
    refusal: row.refusal,
    voidReason: row.void_reason,
    isAbandoned: row.is_abandoned,
    creditsRemaining: row.credits_remaining,
    createdAt: row.created_at,
    pendingUntil: row.pending_until,
    settledAt: row.settled_at,
    filters: row.filters,
    total: row.total,
    idempotency: idempotencyOf(row),
    repeatOf: row.repeat_of,
    repeats: row.repeats,
    keyHasLimit: row.key_has_limit,
    fromLots: (row.lot_ids ?? []).map((lotId, index) => ({ lotId, credits: row.taken?.[index] ?? 0 })),
  };
}

function idempotencyOf({ idempotency_key_hash: keyHash, fingerprint }: ChargeRow): Idempotency | null {
  return keyHash === null || fingerprint === null ? null : { keyHash, fingerprint };
}

const insertSql = `
  INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, refusal, void_reason,
    credits_remaining, created_at, pending_until, settled_at, filters, total, idempotency_key_hash, fingerprint, repeat_of,
    is_abandoned)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::integer[], $7::text[],
    $8::text[], $9::text[], $10::bigint[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::text[],
    $15::integer[], $16::text[], $17::text[], $18::uuid[], $19::boolean[])`;

function chargesToInsert(charges: readonly StoredCharge[]): SqlStatement[] {
  if (charges.length === 0) return [];
  const parameters = [
    charges.map((charge) => charge.id),
    charges.map((charge) => charge.accountId),
    charges.map((charge) => charge.keyId),
    charges.map((charge) => charge.requestId),
    charges.map((charge) => charge.operation),
    charges.map((charge) => charge.credits),
    charges.map((charge) => charge.state),
    charges.map((charge) => charge.refusal),
    charges.map((charge) => charge.voidReason),
    charges.map((charge) => charge.creditsRemaining),
    charges.map((charge) => charge.createdAt),
    charges.map((charge) => charge.pendingUntil),
    charges.map((charge) => charge.settledAt),
    charges.map((charge) => charge.filters),
    charges.map((charge) => charge.total),
    charges.map((charge) => charge.idempotency?.keyHash ?? null),
    charges.map((charge) => charge.idempotency?.fingerprint ?? null),
    charges.map((charge) => charge.repeatOf),
    charges.map((charge) => charge.isAbandoned),
  ];
  return [{ name: 'insert charges', sql: insertSql, parameters }];
}

const timedOutCharges = counter(
  'ledger_timed_out_charges_total',
  'Charges voided because they were not settled in time.',
);
const timedOutCredits = counter('ledger_timed_out_credits_total', 'Credits of these charges.');

const settleSql = `
  UPDATE charges
  SET state = settled.state, void_reason = settled.void_reason, is_abandoned = settled.is_abandoned,
    settled_at = settled.settled_at
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::boolean[])
    AS settled (id, state, void_reason, settled_at, is_abandoned)
  WHERE charges.id = settled.id AND charges.state = 'pending'`;

/** Charges that timed out are counted once the transaction has committed. */
function chargesToSettle({ onCommit }: LockedAccounts, charges: readonly StoredCharge[]): SqlStatement[] {
  if (charges.length === 0) return [];
  const timedOut = charges.filter(({ voidReason }) => voidReason === 'timed_out');
  onCommit(() => {
    timedOutCharges.inc(timedOut.length);
    timedOutCredits.inc(timedOut.reduce((sum, { credits }) => sum + credits, 0));
  });
  const parameters = [
    charges.map((charge) => charge.id),
    charges.map((charge) => charge.state),
    charges.map((charge) => charge.voidReason),
    charges.map((charge) => charge.settledAt),
    charges.map((charge) => charge.isAbandoned),
  ];
  return [{ name: 'settle charges', sql: settleSql, parameters }];
}

/** Another account may have set a tombstone with the same id meanwhile: the first one wins. */
const insertTombstonesSql = `
  INSERT INTO charge_tombstones (charge_id, account_id, created_at)
  SELECT charge_id, account_id, $3 FROM unnest($1::uuid[], $2::uuid[]) AS tombstone (charge_id, account_id)
  ON CONFLICT (charge_id) DO NOTHING`;

function tombstonesToInsert(tombstones: LedgerWrites['tombstones'], now: Date): SqlStatement[] {
  if (tombstones.length === 0) return [];
  const parameters = [
    tombstones.map((tombstone) => tombstone.chargeId),
    tombstones.map((tombstone) => tombstone.accountId),
    now,
  ];
  return [{ name: 'insert charge tombstones', sql: insertTombstonesSql, parameters }];
}
