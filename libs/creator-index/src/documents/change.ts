import { type SearchDocument } from './search-document.js';

/** What became of one creator: its document now, or none when it is deleted or hidden. */
export interface Change {
  readonly slug: string;
  readonly document: SearchDocument | null;
}
