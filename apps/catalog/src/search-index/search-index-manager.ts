import {
  BitmapIndex,
  EntryWriter,
  type IndexedState,
  type SegmentInUse,
  type SnapshotStore,
  useSegment,
} from '@app/creator-index';
import { type Logger, PeriodicTask, gauge } from '@app/platform';
import { type Query } from '@app/platform/database';
import { type BackgroundWork } from '../threads/background-work.js';
import { type IndexBuilder } from './index-builder.js';
import { follow } from './index-follower.js';
import { IndexSnapshots } from './index-snapshots.js';
import { RevisionListener } from './revision-listener.js';

/** Metrics of the size of the index, and of how far it has followed the database. */
export function observeIndex(manager: SearchIndexManager): void {
  gauge('catalog_creators', 'Published creators in the index.', () => manager.index?.documents);
  gauge('index_segments', 'Segments of the index.', () => manager.index?.segmentsInUse.length);
  gauge('index_bytes', 'Memory that the segments of the index take.', () =>
    manager.index?.segmentsInUse.reduce((sum, { segment }) => sum + segment.buffer.byteLength, 0),
  );
  gauge('index_revision', 'The revision of the database that the index shows.', () => manager.revision);
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
  /** A direct URL of the database: poolers do not pass notifications. */
  readonly announcementsUrl: string;
  readonly builder: IndexBuilder;
  readonly background: BackgroundWork;
  /** The site with the public profile pages: `siteUrl/creators/slug`. */
  readonly siteUrl: string;
  readonly logger: Logger;
  /** `null`: no copy on disk. */
  readonly snapshots: SnapshotStore | null;
  /** Period for polling the database for changes, ms. */
  readonly followEveryMs?: number;
  /** How often a changed index is copied to disk, ms. */
  readonly snapshotEveryMs?: number;
}

interface Current {
  readonly index: BitmapIndex;
  state: IndexedState;
}

const followEveryMs = 250;
/** Also for a failed build: each attempt reads the whole catalog. A recovery is noticed within the last wait. */
const followRetryDelaysMs = [100, 200, 400, 1_000];
const snapshotEveryMs = 60_000;
/** Four times the period, so that one slow answer of the database doesn't matter. */
const currentMs = 1_000;

/** Maintains an up-to-date index: loads or builds it, follows the database, and keeps a copy on disk. */
export class SearchIndexManager {
  private current: Current | null = null;
  private readonly following: PeriodicTask;
  private listener: RevisionListener | null = null;
  private readonly saving: PeriodicTask;
  private catchingUp: Promise<void> = Promise.resolve();
  private problem = 'not loaded yet';
  private followedAt: number | undefined;
  /** On the monotonic clock, ms. */
  private currentUntil = 0;

  private readonly writer: EntryWriter;
  private readonly snapshots: IndexSnapshots | null;

  constructor(private readonly options: SearchIndexManagerOptions) {
    const { siteUrl, snapshots, query, logger } = options;
    this.writer = new EntryWriter(siteUrl);
    this.snapshots = snapshots && new IndexSnapshots(snapshots, query, logger);
    this.following = new PeriodicTask({
      run: () => this.catchUp(),
      intervalMs: options.followEveryMs ?? followEveryMs,
      retryDelaysMs: followRetryDelaysMs,
      problem: 'changes of the catalog not followed',
      logger,
    });
    this.saving = new PeriodicTask({
      run: () => this.saveSnapshot(),
      intervalMs: options.snapshotEveryMs ?? snapshotEveryMs,
      problem: 'the index was not copied to disk',
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

  /** The revision of the database that the index shows. */
  get revision(): number | undefined {
    return this.current?.state.revision;
  }

  /** When the index last showed everything there was, in seconds since 1970. */
  get lastFollowed(): number | undefined {
    return this.followedAt;
  }

  /** Why there is no index to search, or `null`: a readiness check. */
  get missing(): string | null {
    return this.current ? null : this.problem;
  }

  /** Resolves when the index shows what had been committed when this was called. */
  async open(): Promise<void> {
    const { announcementsUrl, logger } = this.options;
    this.current = (await this.loadSnapshot()) ?? (await this.build());
    await this.catchUp();
    this.following.start();
    this.saving.start();
    this.listener = new RevisionListener(announcementsUrl, () => this.following.runNow(), logger);
  }

  async close(): Promise<void> {
    // First, so that a running rebuild is cancelled instead of awaited.
    await this.options.builder.close();
    await this.listener?.stop();
    await Promise.all([this.following.stop(), this.saving.stop()]);
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
    const turn = this.options.background.runNow(() => this.catchingUp.then(() => this.followOnce()));
    this.catchingUp = turn.catch(() => undefined);
    return turn;
  }

  private async followOnce(): Promise<void> {
    const { current } = this;
    if (!current) return;
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
      return;
    }
    this.options.logger.warn(state, 'the index does not belong to this database: rebuilding it');
    this.current = await this.build();
  }

  private async build(): Promise<Current> {
    const { query, builder, logger } = this.options;
    const startedAt = performance.now();
    const segments: SegmentInUse[] = [];
    let documents = 0;
    const total = await estimatedCreators(query);
    const state = await builder.read({
      segment: (buffer) => {
        const used = useSegment(buffer);
        segments.push(used);
        documents += used.segment.size;
        this.problem = `building: ${documents} of about ${total} creators`;
        logger.info({ documents, of_about: total }, 'building the index');
      },
    });
    const durationMs = Math.round(performance.now() - startedAt);
    logger.info({ documents, revision: state.revision, duration_ms: durationMs }, 'index built');
    return { index: new BitmapIndex(this.writer, builder, segments, state.revision), state };
  }

  private async loadSnapshot(): Promise<Current | null> {
    const snapshot = await this.snapshots?.load();
    if (!snapshot) return null;
    const { catalogId, revision, segments } = snapshot;
    return {
      index: new BitmapIndex(this.writer, this.options.builder, segments, revision),
      state: { catalogId, revision },
    };
  }

  private async saveSnapshot(): Promise<void> {
    if (this.current) await this.snapshots?.save(this.current.index, this.current.state);
  }
}

/** PostgreSQL's own estimate: an exact count would take a good part of the time of a build. */
async function estimatedCreators(query: Query): Promise<number> {
  const [row] = await query<{ estimate: number }>(
    'estimate creators',
    "SELECT greatest(reltuples, 0)::integer AS estimate FROM pg_class WHERE oid = 'creators'::regclass",
  );
  return row?.estimate ?? 0;
}
