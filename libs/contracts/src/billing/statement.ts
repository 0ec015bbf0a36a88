import { message } from '../message.js';
import { type Page, PageRequest } from '../pagination.js';
import { type EntryType, entryTypes, type LedgerEntryView } from './ledger.js';
import { type LotOrigin } from './purchases.js';
import { Choice, Id } from '../shape/fields.js';

/** A ledger entry as its owner sees it: with what the account had after it. */
export interface StatementEntry extends LedgerEntryView {
  /** What all lots held together after this entry. */
  readonly balance_after: number;
  /** Of the lot that the entry changes. */
  readonly pack: LotOrigin;
}

export class ListStatementRequest extends PageRequest {
  @Id()
  readonly account_id: string;

  /** Default: entries of every type. */
  @Choice(entryTypes, { optional: true })
  readonly type?: EntryType;
}

/** Newest first. Only reads: may be sent twice. `not_found` when there is no such account. */
export const listStatement = message<ListStatementRequest, Page<StatementEntry>>(
  'billing',
  'list_statement',
  ListStatementRequest,
);
