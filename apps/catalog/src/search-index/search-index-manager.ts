import { BitmapIndex, EntryWriter, type IndexedState, promptGarbageCollection } from '#creator-index';
import { type Logger, PeriodicTask, gauge } from '#platform';
import { type Query } from '#platform/database';
import { IndexBuild } from './index-build.js';
import { type IndexBuilder } from './index-builder.js';
import { type IndexMemory, type IndexSize } from './index-memory.js';
import { hasMoreChanges, readChanges, readState, type Span } from './index-source.js';

/** Metrics of the size of the index, and of how far it has followed the database. */
export function observeIndex(manager: SearchIndexManager): void {
  gauge('catalog_creators', 'Published creators in the index.', () => manager.index?.documents);
  gauge('index_bytes', 'Memory that the segments of the index take.', () => manager.index?.bytes);
  gauge(
    'index_bytes_needed',
    'Memory that the published creators need in the index; while it is being built, what all of them are expected to need.',
    () => manager.size?.bytes,
  );
  gauge(
    'index_bytes_limit',
    'The index_bytes_needed from which on no further creators are published.',
    () => manager.memory.limitBytes,
  );
  gauge(
    'index_last_followed_timestamp_seconds',
    'When the index was last known to show everything in the database.',
    () => manager.lastFollowed,
  );
  gauge('newest_update_timestamp_seconds', 'The newest update of a creator in the index.', () => {
    const newest = manager.index?.newestUpdate;
    return newest === undefined ? undefined : newest / 1_000;
  });
}

export interface SearchIndexManagerOptions {
  /** Statements outside of any transaction. */
  readonly query: Query;
  readonly builder: IndexBuilder;
  readonly memory: IndexMemory;
  /** The site with the public profile pages: `siteUrl/creators/slug`. */
  readonly siteUrl: string;
  readonly logger: Logger;
  /** Period for polling the database for changes, ms. */
  readonly followEveryMs?: number;
}

interface Current {
  readonly index: BitmapIndex;
  state: IndexedState;
}

const followEveryMs = 250;
/** Also for a failed build: each attempt reads the whole catalog. A recovery is noticed within the last wait. */
const followRetryDelaysMs = [100, 200, 400, 1_000];
/** Four times the period, so that one slow answer of the database doesn't matter. */
const currentMs = 1_000;

/** Maintains an up-to-date index: builds it, and follows the database. */
export class SearchIndexManager {
  private current: Current | null = null;
  private building: IndexBuild | null = null;
  /** An index that could not be kept while a new one is being built. */
  private isDropped = false;
  private readonly following: PeriodicTask;
  private catchingUp: Promise<void> = Promise.resolve();
  private reported: Error | null = null;
  private followedAt: number | undefined;
  /** On the monotonic clock, ms. */
  private currentUntil = 0;

  private readonly writer: EntryWriter;

  constructor(private readonly options: SearchIndexManagerOptions) {
    const { siteUrl, logger } = options;
    this.writer = new EntryWriter(siteUrl);
    this.following = new PeriodicTask({
      run: () => this.catchUp(),
      intervalMs: options.followEveryMs ?? followEveryMs,
      retryDelaysMs: followRetryDelaysMs,
      problem: 'changes of the catalog not followed',
      logger,
    });
  }

  /** `null` until `open` has resolved. */
  get index(): BitmapIndex | null {
    return this.current?.index ?? null;
  }

  /** See `SearchIndex.currentState`. */
  get currentState(): IndexedState | undefined {
    return performance.now() < this.currentUntil ? this.current?.state : undefined;
  }

  /** When the index last showed everything there was, in seconds since 1970. */
  get lastFollowed(): number | undefined {
    return this.followedAt;
  }

  /** Why there is no index to search, or `null`: a readiness check. */
  get missing(): string | null {
    return this.current ? null : (this.building?.progress ?? 'not loaded yet');
  }

  get memory(): IndexMemory {
    return this.options.memory;
  }

  /** What the creators of the index take, or are expected to take once it is built. */
  get size(): IndexSize | undefined {
    const { index } = this;
    return index ? { creators: index.documents, bytes: index.bytesNeeded } : this.building?.expected;
  }

  /** Why no further creators can be published, or `null`. */
  get full(): string | null {
    return this.current && this.size ? this.memory.problemOf(this.size) : null;
  }

  /** Resolves when the index shows what had been committed when this was called. */
  async open(): Promise<void> {
    this.current = await this.run(await this.prepareBuild());
    await this.catchUp();
    this.following.start();
  }

  async close(): Promise<void> {
    // First, so that a running rebuild is cancelled instead of awaited.
    await this.options.builder.close();
    await this.following.stop();
  }

  /** Follows a commit of this process at once; failures are logged and repeated. */
  wake(): void {
    this.catchUp().catch(() => this.following.runNow());
  }

  /**
   * Follows to the database's revision. An index that can't follow is rebuilt, and keeps answering until the new one is
   * ready. Calls take turns.
   */
  catchUp(): Promise<void> {
    const turn = this.catchingUp.then(() => this.followOnce());
    this.catchingUp = turn.catch(() => undefined);
    return turn;
  }

  private async followOnce(): Promise<void> {
    const { current } = this;
    if (!current) {
      if (this.isDropped) await this.rebuild();
      return;
    }
    const askedAt = Date.now() / 1_000;
    const currentUntil = performance.now() + currentMs;
    const { verdict, state } = await follow(
      this.options.query,
      this.options.builder,
      current.index,
      current.state,
    );
    current.state = state;
    if (verdict === 'followed') {
      this.followedAt = askedAt;
      this.currentUntil = currentUntil;
      this.report(current.index.failure);
      return;
    }
    this.options.logger.warn(state, 'the index does not belong to this database: rebuilding it');
    await this.rebuild();
  }

  /** Logs a failure once. Changes are followed all the same, at the usual pace: they are in the index, though in no segment. */
  private report(failure: Error | null): void {
    if (failure && failure !== this.reported) this.options.logger.warn({ err: failure }, failure.message);
    this.reported = failure;
  }

  /** The index answers until the new one is ready, unless there is no room for both. */
  private async rebuild(): Promise<void> {
    const build = await this.prepareBuild();
    const bytes = this.current?.index.bytes ?? 0;
    if (this.current && !this.memory.hasRoomFor(bytes + build.expected.bytes)) {
      this.options.logger.warn(
        { bytes },
        'no searches until the index is rebuilt: there is no memory for two',
      );
      for (const { segment } of this.current.index.segmentsInUse) promptGarbageCollection(segment.buffer);
      this.current = null;
      this.isDropped = true;
    }
    this.current = await this.run(build);
    this.isDropped = false;
  }

  private async prepareBuild(): Promise<IndexBuild> {
    const { query, memory, logger } = this.options;
    const build = new IndexBuild(query, memory, logger, this.size);
    await build.prepare();
    return build;
  }

  private async run(build: IndexBuild): Promise<Current> {
    const { builder, memory } = this.options;
    this.building = build;
    try {
      const { state, segments } = await build.run(builder);
      return { index: new BitmapIndex(this.writer, builder, segments, memory.limitBytes), state };
    } finally {
      this.building = null;
    }
  }
}

/** The result of following: whether the index can be brought up to date. */
type Verdict = 'followed' | 'has to be rebuilt';

/** Most changes read on this thread, so that searches don't wait long; more are read by another thread. */
const fewChanges = 100;

/**
 * Brings an index up to the database's revision: applies everything committed after its state, at least once and in the
 * order of the revisions.
 */
async function follow(
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
