import { NoPayload, type Page, toBilling } from '../message.js';
import { AccountPageRequest } from './accounts.js';
import { type ChargeState, type Operation } from './charges.js';
import { type LotOrigin } from './packs.js';
import { Choice } from '../shape/fields.js';

export const entryTypes = ['purchase', 'charge', 'reversal', 'expiry', 'adjustment'] as const;
export type EntryType = (typeof entryTypes)[number];

/** One signed, append-only ledger entry: purchase +, charge -, reversal +, expiry -, adjustment +/-. */
export interface StatementEntry {
  readonly id: string;
  readonly at: string;
  readonly type: EntryType;
  readonly credits: number;
  readonly lot_id: string;
  readonly charge_id: string | null;
  readonly request_id: string | null;
  readonly operation: Operation | null;
  readonly key_id: string | null;
  /** State of the charge behind the entry; `null` for entries without one. */
  readonly state: ChargeState | null;
  /** The operator's reference of a purchase or an adjustment; else `null`. */
  readonly reference: string | null;
  /** The reason of an adjustment; else `null`. */
  readonly reason: string | null;
  /** What all lots held together after this entry; `null` in a statement of one type. */
  readonly balance_after: number | null;
  /** Pack of the lot that the entry changes. */
  readonly pack: LotOrigin;
}

/** A page of entries. Those of earlier months are in archives, from which operators answer. */
export interface StatementPage extends Page<StatementEntry> {
  /** Since when entries of the account are in the database; `null`: all are. */
  readonly online_since: string | null;
}

export class ListStatementRequest extends AccountPageRequest {
  /** Default: entries of every type. */
  @Choice(entryTypes, { optional: true })
  readonly type?: EntryType;
}

export type DiscrepancyKind =
  | 'lot_remaining_differs'
  | 'lot_without_opening_entry'
  | 'charge_entries_differ'
  | 'adjustment_entries_differ'
  | 'charge_overdue'
  | 'balance_negative'
  | 'entry_without_lot'
  | 'entry_after_expiry'
  | 'expiry_too_early'
  | 'lot_refund_differs'
  | 'order_lot_differs'
  | 'order_returns_differ'
  | 'order_amounts_differ'
  | 'key_spending_differs'
  | 'archive_differs';

export interface Discrepancy {
  readonly kind: DiscrepancyKind;
  /** `null` for an archive that differs. */
  readonly account_id: string | null;
  readonly lot_id: string | null;
  readonly charge_id: string | null;
  readonly expected: string;
  readonly found: string;
}

/** `discrepancies` holds the first 1,000; `ok` is true when there is none. */
export interface AuditReply {
  readonly ok: boolean;
  readonly accounts: number;
  readonly lots: number;
  readonly entries: number;
  readonly discrepancies: Discrepancy[];
}

/** Newest first. Only reads: may be sent twice. `not_found` when there is no such account. */
export const listStatement = toBilling<StatementPage>()('list_statement', ListStatementRequest);
/** Never resent because it takes long; a repetition would be harmless. */
export const auditLedger = toBilling<AuditReply>()('audit_ledger', NoPayload, {
  deadlineMs: 120_000,
  resendAfterMs: null,
});
