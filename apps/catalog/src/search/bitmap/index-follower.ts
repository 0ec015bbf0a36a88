import { setTimeout as delay } from 'node:timers/promises';
import { type Logger } from '@app/platform';
import { type Query } from '../../database/query.js';
import { type BitmapIndex } from './bitmap-index.js';
import { hasMoreChanges, readChanges, readState, type Span } from './index-source.js';
import { type IndexedState } from './read-index.js';
import { type SegmentMaker } from './segment-maker.js';

/** What a follower may need to know to tell that its index can't be brought up to date. */
export type Verdict = 'followed' | 'has to be rebuilt';

/** So few that a search doesn't wait long for them; more are read by another thread. */
const fewChanges = 100;

/**
 * Brings an index up to the database's revision: everything committed after the state that it shows, once at least and in
 * the order of the revisions.
 */
export async function follow(
  query: Query,
  maker: Pick<SegmentMaker, 'readChanges'>,
  index: BitmapIndex,
  state: IndexedState,
): Promise<{ verdict: Verdict; state: IndexedState }> {
  const now = await readState(query);
  const isOther = now.catalogId !== state.catalogId || now.revision < state.revision;
  if (isOther || state.revision < now.forgottenRevision) return { verdict: 'has to be rebuilt', state };
  if (now.revision === state.revision) return { verdict: 'followed', state };
  const span = { after: state.revision, upTo: now.revision };
  if (await hasMoreChanges(query, span, fewChanges)) {
    await addChanges(span, maker, index);
  } else {
    for await (const changes of readChanges(query, span, fewChanges)) index.apply(changes);
  }
  index.reached(now.revision);
  return { verdict: 'followed', state: { catalogId: now.catalogId, revision: now.revision } };
}

/** Resolves, or raises, once nothing is being added any more. */
async function addChanges(
  span: Span,
  maker: Pick<SegmentMaker, 'readChanges'>,
  index: BitmapIndex,
): Promise<void> {
  let adding = Promise.resolve();
  try {
    await maker.readChanges(span, (part) => {
      adding = adding.then(() => index.add(part));
    });
  } finally {
    await adding;
  }
}

interface PollerOptions {
  readonly periodMs: number;
  readonly logger: Logger;
}

/** Runs a step again and again: after every period, and at once when woken. A step that fails is tried again. */
export class Poller {
  private readonly stopping = new AbortController();
  private waiting = new AbortController();
  private readonly running: Promise<void>;
  private isFailing = false;

  constructor(
    private readonly step: () => Promise<void>,
    private readonly options: PollerOptions,
  ) {
    this.running = this.run();
  }

  wake(): void {
    this.waiting.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.waiting = new AbortController();
      await this.runStep();
      if (this.stopping.signal.aborted) return;
      await delay(this.options.periodMs, undefined, { signal: this.waiting.signal }).catch(() => undefined);
    }
  }

  private async runStep(): Promise<void> {
    try {
      await this.step();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.options.logger.warn({ err: error }, 'changes of the catalog not followed');
      this.isFailing = true;
    }
  }
}
