import { type EntryType } from '@app/contracts';

/** A signed entry to be written: purchase +, charge -, reversal +, expiry -, adjustment +/-. */
export interface NewEntry {
  readonly accountId: string;
  readonly lotId: string;
  readonly type: EntryType;
  readonly credits: number;
  readonly chargeId?: string;
  readonly adjustmentId?: string;
}
