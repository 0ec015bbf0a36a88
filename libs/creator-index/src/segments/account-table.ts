import { lowerBound } from '../postings/document-set.js';

/** The documents with an account, by the hashes of the accounts' keys. */
export interface AccountTable {
  /** Ascending; a hash occurs once for each of its documents. */
  readonly hashes: Uint32Array;
  /** The document of each hash, ascending among equal hashes. */
  readonly documents: Uint16Array;
}

/** A hash and a document in one number that sorts by the hash, then by the document. */
const documentSpan = 0x1_0000;

/** Collects the accounts of a segment's documents, in any order. */
export class AccountTableBuilder {
  private readonly pairs: Float64Array;
  private count = 0;

  constructor(pairsMax: number) {
    this.pairs = new Float64Array(pairsMax);
  }

  add(hash: number, document: number): void {
    this.pairs[this.count++] = hash * documentSpan + document;
  }

  build(): AccountTable {
    const pairs = this.pairs.subarray(0, this.count).sort();
    // Two keys of a document may have the same hash.
    const distinct = pairs.filter((pair, at) => at === 0 || pair !== pairs[at - 1]);
    return {
      hashes: Uint32Array.from(distinct, (pair) => Math.floor(pair / documentSpan)),
      documents: Uint16Array.from(distinct, (pair) => pair % documentSpan),
    };
  }
}

/**
 * The documents with an account whose key has this hash, ascending. Different keys may have the same hash: the caller
 * has to look at the document.
 */
export function documentsOfHash({ hashes, documents }: AccountTable, hash: number): Uint16Array {
  const from = lowerBound(hashes, hash);
  let to = from;
  while (hashes[to] === hash) to += 1;
  return documents.subarray(from, to);
}
