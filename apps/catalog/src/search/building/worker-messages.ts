import {
  type ChangedSegment,
  type IndexedState,
  type MergePart,
  type SearchDocument,
} from '@app/creator-index';
import { type Span } from '../source/index-source.js';

/** What the worker thread is asked to do. */
export type WorkerTask = { readonly id: number } & (
  | { readonly kind: 'build'; readonly documents: readonly SearchDocument[] }
  | { readonly kind: 'merge'; readonly parts: readonly MergePart[] }
  | { readonly kind: 'read'; readonly databaseUrl: string }
  | { readonly kind: 'read changes'; readonly databaseUrl: string; readonly span: Span }
);

/** Its answers: several for reads, one for everything else. */
export type WorkerAnswer = { readonly id: number } & (
  | { readonly kind: 'made'; readonly segment: SharedArrayBuffer }
  | { readonly kind: 'segment'; readonly segment: SharedArrayBuffer }
  | { readonly kind: 'read'; readonly state: IndexedState }
  | { readonly kind: 'changed'; readonly part: ChangedSegment }
  | { readonly kind: 'changes read' }
  | { readonly kind: 'failed'; readonly error: Error }
);
