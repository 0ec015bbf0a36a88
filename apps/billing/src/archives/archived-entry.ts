import { type ChargeState, type EntryType, type Operation } from '#contracts';
import { parse } from 'csv-parse/sync';

/** An entry of the ledger with its charge, as a line of an archive holds it. */
export interface ArchivedEntry {
  readonly accountId: string;
  /** Ascends within an account. */
  readonly id: string;
  readonly at: Date;
  readonly type: EntryType;
  readonly credits: number;
  /** Of the account: the credits of all its lots after this entry. */
  readonly balanceAfter: number;
  readonly lotId: string;
  readonly adjustmentId: string | null;
  readonly charge: ArchivedCharge | null;
}

/** `credits` is the price. */
export interface ArchivedCharge {
  readonly id: string;
  readonly credits: number;
  readonly state: ChargeState;
  readonly operation: Operation;
  readonly requestId: string;
  readonly keyId: string;
}

const iso = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The columns of a line in their order, and where PostgreSQL takes each from. A line begins with what it is sorted by. What only
 * people look for in a file comes last.
 */
const columns = {
  account_id: 'entries.account_id',
  id: 'entries.id',
  at: iso('entries.created_at'),
  type: 'entries.type',
  credits: 'entries.credits',
  balance_after:
    'COALESCE(carried.credits, 0) + sum(entries.credits) OVER (PARTITION BY entries.account_id ORDER BY entries.id)',
  lot_id: 'entries.lot_id',
  adjustment_id: 'entries.adjustment_id',
  charge_id: 'entries.charge_id',
  charge_credits: 'charges.credits',
  state: 'charges.state',
  operation: 'charges.operation',
  request_id: 'charges.request_id',
  key_id: 'charges.key_id',
  void_reason: 'charges.void_reason',
  filters: 'charges.filters',
  total: 'charges.total',
  charged_at: iso('charges.created_at'),
  settled_at: iso('charges.settled_at'),
};

/** The first line of an archive. */
export const headerLine = `${Object.keys(columns).join(',')}\n`;

/** What `COPY` selects for the lines of an archive, from `entries`, `charges` and `carried`. */
export const lineSql = Object.entries(columns)
  .map(([name, value]) => `${value} AS ${name}`)
  .join(', ');

type Line = Readonly<Record<keyof typeof columns, string>>;

/** Reads whole lines. Throws for what is no line of an archive. */
export function parseLines(lines: Buffer): ArchivedEntry[] {
  return parse<Line>(lines, { columns: Object.keys(columns) }).map(toEntry);
}

function toEntry(line: Line): ArchivedEntry {
  return {
    accountId: line.account_id,
    id: line.id,
    at: new Date(line.at),
    type: line.type as EntryType,
    credits: Number(line.credits),
    balanceAfter: Number(line.balance_after),
    lotId: line.lot_id,
    adjustmentId: line.adjustment_id || null,
    charge: line.charge_id === '' ? null : toCharge(line),
  };
}

function toCharge(line: Line): ArchivedCharge {
  return {
    id: line.charge_id,
    credits: Number(line.charge_credits),
    state: line.state as ChargeState,
    operation: line.operation as Operation,
    requestId: line.request_id,
    keyId: line.key_id,
  };
}

/** What lines are sorted by. */
export type Place = Pick<ArchivedEntry, 'accountId' | 'id'>;

/** The place of a line, from its beginning. Throws where there is none. */
export function placeOf(line: string): Place {
  const [, accountId, id] = /^([0-9a-f-]{36}),(\d+),/.exec(line) ?? [];
  if (accountId === undefined || id === undefined) {
    throw new Error(`not a line of an archive: ${line.slice(0, 60)}`);
  }
  return { accountId, id };
}

/** Negative: `one` comes first. UUIDs as text are in the order of PostgreSQL. */
export function comparePlaces(one: Place, other: Place): number {
  if (one.accountId !== other.accountId) return one.accountId < other.accountId ? -1 : 1;
  return Number(BigInt(one.id) - BigInt(other.id));
}
