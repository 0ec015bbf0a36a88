import { accountsOf, type RecordAccount } from '../documents/search-entry.js';
import { type SearchPosition } from '../documents/search-document.js';
import { hasBit } from '../postings/document-set.js';
import { documentsOfHash } from '../segments/account-table.js';
import { type SegmentInUse } from '../segments/segment-in-use.js';

/** Whether an account has the key that is looked for. */
export type HasKey = (account: RecordAccount) => boolean;

/**
 * The first document of a segment, in the order of a search, with an account that has a key of this hash; `null` without
 * one.
 */
export function findAccount(
  { segment, gone }: SegmentInUse,
  hash: number,
  hasKey: HasKey,
): SearchPosition | null {
  for (const document of documentsOfHash(segment.accounts, hash)) {
    if (hasBit(gone.bitmap, document) || !accountsOf(segment.record(document)).some(hasKey)) continue;
    return { updatedAt: segment.times[document] ?? 0, slug: segment.slug(document) };
  }
  return null;
}
