import { type ChargeRequest } from '#contracts';
import { counter } from '#platform';
import { onlyRow, type Queryable, type SqlStatement } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { arraysOf, columnsOf, rowsAsJson } from '../../database/columns.js';
import {
  countWritten,
  entriesAsJson,
  insertEntriesSql,
  lotsByAccount,
  LotsRepository,
  recentLotsSql,
  type RecentLotRow,
  unexpiredAt,
} from '../lots/lots.repository.js';
import { type LedgerWrites } from '../rules/ledger-batch.js';
import {
  activeKeySql,
  type KeyBudget,
  type KeySecrets,
  type KeyState,
  type LedgerState,
  overdueSql,
  type StoredCharge,
} from '../rules/ledger-state.js';
import { repeatableMs, repeatsMax } from '../rules/repeatable-charges.js';
import { daysToStore, loadAbandonedDays } from './abandoned-days.js';

const timedOutCharges = counter(
  'ledger_timed_out_charges_total',
  'Charges voided because they were not settled in time.',
);
const timedOutCredits = counter('ledger_timed_out_credits_total', 'Credits of these charges.');

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
    const [rows, repeatable] = await Promise.all([
      on.query<FirstRow>('select first rows of a batch', firstRowsSql, [accountIds, chargeIds, keyIds]),
      keyHashes.length === 0
        ? []
        : on.query<ChargeRow>('select repeatable charges', repeatableSql, [keyHashes]),
    ]);
    const row = onlyRow(rows);
    return {
      lots: lotsByAccount(row.lots ?? []),
      keys: new Map((row.keys ?? []).map(toKey)),
      charges: storedById([...(row.pending ?? []), ...repeatable]),
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
    return { ...first, charges: new Map([...first.charges, ...storedById(charges)]), abandoned };
  }

  /** The overdue charges of the accounts, with their lots. */
  async loadOverdue(on: Queryable, accountIds: readonly string[], max: number): Promise<LedgerRows> {
    const [lots, charges] = await Promise.all([
      this.lots.recent(on, accountIds),
      on.query<ChargeRow>('select charges', chargesSql, [accountIds, [], max]),
    ]);
    const none = { keys: new Map(), tombstones: new Map(), abandoned: new Map() };
    return { ...none, lots, charges: storedById(charges) };
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

type JsonDates<Row, Field extends keyof Row> = Omit<Row, Field> & {
  readonly [Name in Field]: Row[Name] | string;
};

/** What is read of a charge besides its columns, where a void or a repetition may need it. */
type ReadLater = 'repeats' | 'keyHasLimit' | 'fromLots';

/** From JSON its instants are strings. */
interface ChargeRow
  extends
    JsonDates<Omit<StoredCharge, ReadLater | 'idempotency'>, 'createdAt' | 'pendingUntil' | 'settledAt'>,
    Partial<Pick<StoredCharge, ReadLater>> {
  /** SHA-256 of the key's id and the caller's `Idempotency-Key`, with a charge that was paid. */
  readonly idempotencyKeyHash: string | null;
  /** SHA-256 of the operation and its parameters. */
  readonly fingerprint: string | null;
}

const columns = columnsOf(
  ...['id', 'accountId', 'keyId', 'requestId', 'operation', 'credits', 'state', 'refusal', 'voidReason'],
  ...['isAbandoned', 'creditsRemaining', 'createdAt', 'pendingUntil', 'settledAt', 'filters', 'total'],
  ...['idempotencyKeyHash', 'fingerprint', 'repeatOf'],
);
const columnNames = columns.map(({ name }) => name).join(', ');
/** By the names of the fields. The driver gives a bigint as text. */
const chargeFields = columns
  .map(({ field, name }) => `charges.${name}${name === 'credits_remaining' ? '::float8' : ''} AS "${field}"`)
  .join(', ');

/** A key as JSON of PostgreSQL. */
interface KeyRow extends Pick<KeyState, 'accountId' | 'active'> {
  readonly id: string;
  readonly expiresAt: string | null;
  readonly secrets: JsonDates<KeySecrets, 'previousValidUntil'>;
  /** Only of a key with a monthly limit. */
  readonly budget: JsonDates<KeyBudget, 'since'> | null;
}

/**
 * A test key counts as switched off: its calls must never be charged. Served by `api_keys_pk` and `accounts_pk`. Under the lock of the
 * account, which is held too to suspend it.
 */
const keysSql = `
  SELECT api_keys.id, account_id AS "accountId", ${activeKeySql} AND mode = 'live' AS active, expires_at AS "expiresAt",
    json_build_object('hash', hash, 'previousHash', previous_hash, 'previousValidUntil', previous_valid_until) AS secrets,
    CASE WHEN monthly_limit IS NOT NULL
      THEN json_build_object('limit', monthly_limit, 'spent', spent, 'since', spent_since) END AS budget
  FROM api_keys JOIN accounts ON accounts.id = account_id
  WHERE api_keys.id = ANY($3::uuid[])`;

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
const firstRowsSql = `
  SELECT
    (SELECT json_agg(lot) FROM (${recentLotsSql}) AS lot) AS lots,
    (SELECT json_agg(key) FROM (${keysSql}) AS key) AS keys,
    (SELECT json_agg(charge) FROM (
      SELECT ${chargeFields} FROM charges WHERE id = ANY($2::uuid[]) AND state = 'pending'
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
  SELECT ${chargeFields}, CASE WHEN idempotency_key_hash IS NULL THEN 0 ELSE (${repeatsSql}) END AS repeats,
    coalesce(parts.taken, '[]') AS "fromLots", limited.id IS NOT NULL AS "keyHasLimit"
  FROM wanted AS charges
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('lotId', lot_id, 'credits', -entries.credits) ORDER BY entries.id) AS taken
    FROM ledger_entries AS entries
    WHERE entries.charge_id = charges.id AND entries.type = 'charge' AND entries.created_at = charges.created_at
  ) AS parts ON charges.state = 'pending'
  LEFT JOIN api_keys AS limited
    ON limited.id = charges.key_id AND limited.monthly_limit IS NOT NULL AND charges.state = 'pending'`;

/**
 * The named charges, of any month, by one probe of each month's key: an id is never charged twice. And the oldest overdue charges of
 * the accounts, found through `charges_pending_of_account`.
 */
const chargesSql = `
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
const repeatableSql = `
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

/** One statement in place of three: each costs a charge about as much to send and to start as to run. */
const writeSql = `
  WITH made AS (
    INSERT INTO charges (${columnNames})
    SELECT ${columnNames} FROM json_populate_recordset(NULL::charges, $1::json)
  ), ended AS (
    UPDATE charges
    SET state = settled.state, void_reason = settled.void_reason, is_abandoned = settled.is_abandoned, settled_at = $7
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::boolean[]) AS settled (id, state, void_reason, is_abandoned)
    WHERE charges.id = settled.id AND charges.state = 'pending'
  )
  ${insertEntriesSql('$6', '$7')}`;

/** The statement that writes charges and their entries, if any; they are counted once the transaction has committed. */
function chargesToWrite(
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
    rowsAsJson(columns, newCharges.map(toFields)),
    ...arraysOf(settled, 'id', 'state', 'voidReason', 'isAbandoned'),
    entriesAsJson(entries),
    now,
  ];
  return [{ name: 'write charges', sql: writeSql, parameters }];
}

function toFields({ idempotency, ...charge }: StoredCharge): object {
  return { ...charge, idempotencyKeyHash: idempotency?.keyHash, fingerprint: idempotency?.fingerprint };
}

/** Another account may have set a tombstone with the same id meanwhile: the first one wins. */
const insertTombstonesSql = `
  INSERT INTO charge_tombstones (charge_id, account_id, created_at)
  SELECT charge_id, account_id, $3 FROM unnest($1::uuid[], $2::uuid[]) AS tombstone (charge_id, account_id)
  ON CONFLICT (charge_id) DO NOTHING`;

function tombstonesToInsert(tombstones: LedgerWrites['tombstones'], now: Date): SqlStatement[] {
  if (tombstones.length === 0) return [];
  const parameters = [...arraysOf(tombstones, 'chargeId', 'accountId'), now];
  return [{ name: 'insert charge tombstones', sql: insertTombstonesSql, parameters }];
}

/** A month that is over for the key is not counted any more. Served by `api_keys_pk`. */
const addSpendingSql = `
  UPDATE api_keys
  SET spent = greatest(CASE WHEN spent_since = change.month THEN spent ELSE 0 END + change.credits, 0), spent_since = change.month
  FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[]) AS change (key_id, month, credits)
  WHERE api_keys.id = change.key_id AND monthly_limit IS NOT NULL AND spent_since <= change.month`;

/** The statement that adds what keys with a monthly limit have spent, if any. */
function spendingToAdd(changes: LedgerWrites['spending']): SqlStatement[] {
  if (changes.length === 0) return [];
  const parameters = arraysOf(changes, 'keyId', 'month', 'credits');
  return [{ name: 'add spending of keys', sql: addSpendingSql, parameters }];
}

function storedById(rows: readonly ChargeRow[]): Map<string, StoredCharge> {
  return new Map(rows.map((row) => [row.id, toStored(row)]));
}

function toStored({ idempotencyKeyHash: keyHash, fingerprint, ...row }: ChargeRow): StoredCharge {
  return {
    repeats: 0,
    keyHasLimit: false,
    fromLots: null,
    ...row,
    createdAt: new Date(row.createdAt),
    pendingUntil: new Date(row.pendingUntil),
    settledAt: dateOf(row.settledAt),
    idempotency: keyHash === null || fingerprint === null ? null : { keyHash, fingerprint },
  };
}

function toKey({ id, expiresAt, secrets, budget, ...key }: KeyRow): [string, KeyState] {
  const { previousValidUntil } = secrets;
  return [
    id,
    {
      ...key,
      expiresAt: dateOf(expiresAt),
      secrets: { ...secrets, previousValidUntil: dateOf(previousValidUntil) },
      budget: budget && { ...budget, since: new Date(budget.since) },
    },
  ];
}

function dateOf(instant: Date | string | null): Date | null {
  return instant === null ? null : new Date(instant);
}
