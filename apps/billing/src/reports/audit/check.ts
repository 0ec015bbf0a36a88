import { type DiscrepancyKind } from '@app/contracts';

/** One rule of the ledger: a query that returns each breach as account_id, lot_id, charge_id, expected, found. */
export interface Check {
  readonly kind: DiscrepancyKind;
  /** `$1`: the most rows wanted. */
  readonly sql: string;
}
