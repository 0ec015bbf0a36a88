import { type BitmapIndex, type IndexedState } from '#creator-index';
import { type Query } from '#platform/database';
import { type IndexBuilder } from './index-builder.js';
import { hasMoreChanges, readChanges, readState, type Span } from './index-source.js';

/** The result of following: whether the index can be brought up to date. */
export type Verdict = 'followed' | 'has to be rebuilt';

/** Most changes read on this thread, so that searches don't wait long; more are read by another thread. */
const fewChanges = 100;

/**
 * Brings an index up to the database's revision: applies everything committed after its state, at least once and in the
 * order of the revisions.
 */
export async function follow(
  query: Query,
  builder: Pick<IndexBuilder, 'readChanges'>,
  index: BitmapIndex,
  state: IndexedState,
): Promise<{ verdict: Verdict; state: IndexedState }> {
  const now = await readState(query);
  const isOther = now.catalogId !== state.catalogId || now.revision < state.revision;
  if (isOther || state.revision < now.forgottenRevision) return { verdict: 'has to be rebuilt', state };
  if (now.revision === state.revision) return { verdict: 'followed', state };
  const span = { after: state.revision, upTo: now.revision };
  if (await hasMoreChanges(query, span, fewChanges)) {
    await addChanges(span, builder, index);
  } else {
    for await (const changes of readChanges(query, span, fewChanges)) index.apply(changes);
  }
  index.markAppliedUpTo(now.revision);
  return { verdict: 'followed', state: { catalogId: now.catalogId, revision: now.revision } };
}

/** Resolves, or throws, once nothing is being added. */
async function addChanges(
  span: Span,
  builder: Pick<IndexBuilder, 'readChanges'>,
  index: BitmapIndex,
): Promise<void> {
  let adding = Promise.resolve();
  try {
    await builder.readChanges(span, (part) => {
      adding = adding.then(() => index.add(part));
      // Rethrown below, once reading has ended; unhandled until then, it would end the process.
      adding.catch(() => undefined);
    });
  } finally {
    await adding;
  }
}
