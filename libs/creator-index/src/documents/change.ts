import { type SearchDocument } from './search-document.js';

/** A change of one creator: its document now, or none when deleted or hidden. */
export interface Change {
  readonly slug: string;
  readonly document: SearchDocument | null;
}
