import { type ChargeRequest } from '#contracts';
import { type Queryable, type SqlStatement } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import {
  lotsByAccount,
  LotsRepository,
  recentLotsSql,
  type RecentLotRow,
  unexpiredAt,
} from '../lots/lots.repository.js';
import { type LedgerWrites } from '../rules/ledger-batch.js';
import { type Idempotency, type LedgerState, overdueSql, type StoredCharge } from '../rules/ledger-state.js';
import { repeatableMs, repeatsMax } from '../rules/repeatable-charges.js';
import { daysToStore, loadAbandonedDays } from './abandoned-days.js';
import { chargesToWrite, spendingToAdd, tombstonesToInsert } from './charge-writes.js';
import { type KeyRow, keysByIdOf, keysSql } from './keys-of-charges.js';

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

/** What most batches need: `hasMore` when there are also charges that have ended or are overdue. */
export interface FirstRows extends LedgerRows {
  readonly hasMore: boolean;
}

/**
 * The statements of batches of charges and settlements. Hand-written: a charge takes two round trips (decision 36), so
 * each statement has one text for any number of rows and stays prepared.
 */
@Injectable()
export class ChargeRepository {
  constructor(private readonly lots: LotsRepository) {}

  /**
   * One statement for what new charges, and settlements that post, need: of the named charges only the pending ones, without
   * what a void would return. To be sent with the lock.
   */
  async loadFirst(on: Queryable, { accountIds, chargeIds, calls }: StateRequest): Promise<FirstRows> {
    const keyIds = [...new Set(calls.map((call) => call.key_id))];
    const keyHashes = calls.flatMap((call) => call.idempotency_key_hash ?? []);
    const [[row], repeatable] = await Promise.all([
      on.query<FirstRow>('select first rows of a batch', firstRowsSql, [accountIds, chargeIds, keyIds]),
      keyHashes.length === 0
        ? []
        : on.query<ChargeRow>('select repeatable charges', repeatableSql, [keyHashes]),
    ]);
    if (!row) throw new Error('the first rows of a batch are missing');
    return {
      lots: lotsByAccount(row.lots ?? []),
      keys: keysByIdOf(row.keys ?? []),
      charges: chargesByIdOf([...(row.pending ?? []), ...repeatable]),
      tombstones: new Map(Object.entries(row.tombstones ?? {})),
      abandoned: new Map(),
      hasMore: row.has_more,
    };
  }

  /** Adds all named and overdue charges, with what they took, and the days of abandoned calls. */
  async loadRest(on: Queryable, request: StateRequest, first: LedgerRows): Promise<LedgerRows> {
    const { accountIds, chargeIds, overdueMax, abandonedOf } = request;
    const [charges, abandoned] = await Promise.all([
      on.query<ChargeRow>('select charges', chargesSql, [accountIds, chargeIds, overdueMax]),
      loadAbandonedDays(on, abandonedOf),
    ]);
    return { ...first, charges: new Map([...first.charges, ...chargesByIdOf(charges)]), abandoned };
  }

  /** The overdue charges of the accounts, with their lots. */
  async loadOverdue(on: Queryable, accountIds: readonly string[], max: number): Promise<LedgerRows> {
    const [lots, charges] = await Promise.all([
      this.lots.recent(on, accountIds),
      on.query<ChargeRow>('select charges', chargesSql, [accountIds, [], max]),
    ]);
    const none = { keys: new Map(), tombstones: new Map(), abandoned: new Map() };
    return { ...none, lots, charges: chargesByIdOf(charges) };
  }

  /** The statements that write the decisions of a batch, if any. */
  toStatements(locked: LockedAccounts, writes: LedgerWrites): SqlStatement[] {
    return [
      ...chargesToWrite(locked, writes),
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

/** From JSON its instants are strings, and it does not have what only a void needs. */
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
  readonly created_at: Date | string;
  readonly pending_until: Date | string;
  readonly settled_at: Date | string | null;
  readonly filters: string | null;
  readonly total: number | null;
  readonly idempotency_key_hash: string | null;
  readonly fingerprint: string | null;
  readonly repeat_of: string | null;
  readonly repeats?: number;
  readonly key_has_limit?: boolean;
  readonly lot_ids?: string[] | null;
  readonly taken?: number[] | null;
}

const chargeColumns = `charges.id, charges.account_id, key_id, request_id, operation, charges.credits, state, refusal, void_reason,
    is_abandoned, credits_remaining::float8 AS credits_remaining, charges.created_at, pending_until, settled_at, filters, total,
    idempotency_key_hash, fingerprint, repeat_of`;

interface FirstRow {
  readonly lots: readonly RecentLotRow[] | null;
  readonly keys: readonly KeyRow[] | null;
  readonly pending: readonly ChargeRow[] | null;
  /** The account of each. */
  readonly tombstones: Readonly<Record<string, string>> | null;
  readonly has_more: boolean;
}

/**
 * One statement in place of four: each costs a charge about as much to send and to start as to run. An id is looked for in every
 * month, by one probe of its key, because it is never charged twice.
 */
export const firstRowsSql = `
  SELECT
    (SELECT json_agg(lot) FROM (${recentLotsSql}) AS lot) AS lots,
    (SELECT json_agg(key) FROM (${keysSql}) AS key) AS keys,
    (SELECT json_agg(charge) FROM (
      SELECT ${chargeColumns} FROM charges WHERE id = ANY($2::uuid[]) AND state = 'pending'
    ) AS charge) AS pending,
    (SELECT json_object_agg(charge_id, account_id) FROM charge_tombstones WHERE charge_id = ANY($2::uuid[])) AS tombstones,
    EXISTS (SELECT FROM charges WHERE id = ANY($2::uuid[]) AND state <> 'pending')
      OR EXISTS (
        SELECT FROM charges WHERE account_id = ANY($1::uuid[]) AND ${overdueSql('charges', '(SELECT ledger_now())')}
      ) AS has_more`;

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
  SELECT ${chargeColumns},
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
     WHERE account_id = ANY($1::uuid[]) AND ${overdueSql('charges', '(SELECT ledger_now())')}
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

function chargesByIdOf(rows: readonly ChargeRow[]): Map<string, StoredCharge> {
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
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
    createdAt: new Date(row.created_at),
    pendingUntil: new Date(row.pending_until),
    settledAt: row.settled_at === null ? null : new Date(row.settled_at),
    filters: row.filters,
    total: row.total,
    idempotency: idempotencyOf(row),
    repeatOf: row.repeat_of,
    repeats: row.repeats ?? 0,
    keyHasLimit: row.key_has_limit ?? false,
    fromLots:
      row.lot_ids === undefined
        ? null
        : (row.lot_ids ?? []).map((lotId, index) => ({ lotId, credits: row.taken?.[index] ?? 0 })),
  };
}

function idempotencyOf({ idempotency_key_hash: keyHash, fingerprint }: ChargeRow): Idempotency | null {
  return keyHash === null || fingerprint === null ? null : { keyHash, fingerprint };
}
