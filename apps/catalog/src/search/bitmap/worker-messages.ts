import { type IndexedState } from './read-index.js';
import { type SearchDocument } from './search-document.js';
import { type MergePart } from './segment-merger.js';

/** What the worker thread is asked to do. */
export type WorkerTask = { readonly id: number } & (
  | { readonly kind: 'build'; readonly documents: readonly SearchDocument[] }
  | { readonly kind: 'merge'; readonly parts: readonly MergePart[] }
  | { readonly kind: 'read'; readonly databaseUrl: string }
);

/** What it answers: segments of a reading one by one, everything else once. */
export type WorkerAnswer = { readonly id: number } & (
  | { readonly kind: 'made'; readonly segment: SharedArrayBuffer }
  | { readonly kind: 'segment'; readonly segment: SharedArrayBuffer }
  | { readonly kind: 'read'; readonly state: IndexedState }
  | { readonly kind: 'failed'; readonly error: Error }
);
