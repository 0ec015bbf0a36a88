import { type Logger } from '@app/platform';
import { type DataSource } from 'typeorm';
import { readingFrom } from '../../database/query.js';
import { type BackgroundWork } from '../../threads/background-work.js';
import { BitmapIndex, type SegmentInUse } from './bitmap-index.js';
import { follow, Poller } from './index-follower.js';
import { readState } from './index-source.js';
import { type IndexedState } from './read-index.js';
import { EntryWriter } from './record.js';
import { RevisionListener } from './revision-listener.js';
import { Segment, Tombstones } from './segment.js';
import { type SegmentMaker } from './segment-maker.js';
import { type SnapshotStore } from './snapshot-store.js';

export interface IndexKeeperOptions {
  readonly dataSource: DataSource;
  /** Of the database itself: what it announces passes no pooler. */
  readonly announcementsUrl: string;
  readonly maker: SegmentMaker;
  readonly background: BackgroundWork;
  /** Where people see a creator's profile: `siteUrl/creators/slug`. */
  readonly siteUrl: string;
  readonly logger: Logger;
  /** `null`: no copy on disk. */
  readonly snapshots: SnapshotStore | null;
  /** How often the database is asked for news, ms. */
  readonly followEveryMs?: number;
  /** How often a changed index is copied to disk, ms. */
  readonly snapshotEveryMs?: number;
}

interface Current {
  readonly index: BitmapIndex;
  state: IndexedState;
}

const followEveryMs = 250;
const snapshotEveryMs = 60_000;

/** Has an index ready and up to date: loads or builds it, follows the database, and keeps a copy on disk. */
export class IndexKeeper {
  private current: Current | null = null;
  private poller: Poller | null = null;
  private listener: RevisionListener | null = null;
  private snapshotPoller: Poller | null = null;
  private savedRevision = -1;
  private catchingUp: Promise<void> = Promise.resolve();
  private problem = 'not loaded yet';
  private followedAt: number | undefined;

  private readonly writer: EntryWriter;

  constructor(private readonly options: IndexKeeperOptions) {
    this.writer = new EntryWriter(options.siteUrl);
  }

  /** `null` until `open` has resolved. */
  get index(): BitmapIndex | null {
    return this.current?.index ?? null;
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
    this.poller = new Poller(() => this.catchUp(), {
      periodMs: this.options.followEveryMs ?? followEveryMs,
      logger,
    });
    this.listener = new RevisionListener(announcementsUrl, () => this.poller?.wake(), logger);
    this.snapshotPoller = new Poller(() => this.saveSnapshot(), {
      periodMs: this.options.snapshotEveryMs ?? snapshotEveryMs,
      logger,
    });
  }

  async close(): Promise<void> {
    // First of all, so that a rebuild that is under way ends instead of being waited for.
    await this.options.maker.close();
    await this.listener?.stop();
    await Promise.all([this.poller?.stop(), this.snapshotPoller?.stop()]);
  }

  /** Shows what has just been committed without waiting to be told; what fails is tried again by the poller, which tells. */
  wake(): void {
    this.catchUp().catch(() => this.poller?.wake());
  }

  /**
   * Follows to the database's revision. An index that can't is replaced by a new one, and goes on answering until then.
   * Calls take turns.
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
    const { verdict, state } = await follow(
      readingFrom(this.options.dataSource),
      this.options.maker,
      current.index,
      current.state,
    );
    current.state = state;
    if (verdict === 'followed') {
      this.followedAt = askedAt;
      return;
    }
    this.options.logger.warn(state, 'the index does not belong to this database: building it anew');
    this.current = await this.build();
  }

  private async build(): Promise<Current> {
    const { dataSource, maker, logger } = this.options;
    const startedAt = performance.now();
    const segments: SegmentInUse[] = [];
    let documents = 0;
    const total = await estimatedCreators(dataSource);
    const state = await maker.read({
      segment: (buffer) => {
        const segment = new Segment(buffer);
        segments.push({ segment, gone: new Tombstones(segment.size) });
        documents += segment.size;
        this.problem = `building: ${documents} of about ${total} creators`;
        logger.info({ documents, of_about: total }, 'building the index');
      },
    });
    const durationMs = Math.round(performance.now() - startedAt);
    logger.info({ documents, revision: state.revision, duration_ms: durationMs }, 'index built');
    return { index: new BitmapIndex(this.writer, maker, segments, state.revision), state };
  }

  private async loadSnapshot(): Promise<Current | null> {
    const { snapshots, dataSource, maker, logger } = this.options;
    if (!snapshots) return null;
    const startedAt = performance.now();
    try {
      const snapshot = await snapshots.load();
      if (!snapshot) return null;
      const { catalogId, revision, segments } = snapshot;
      const now = await readState(readingFrom(dataSource));
      const isValid =
        now.catalogId === catalogId && now.revision >= revision && revision >= now.forgottenRevision;
      logger.info(
        { revision, valid: isValid, duration_ms: Math.round(performance.now() - startedAt) },
        'index loaded from disk',
      );
      if (!isValid) return null;
      this.savedRevision = revision;
      return {
        index: new BitmapIndex(this.writer, maker, segments, revision),
        state: { catalogId, revision },
      };
    } catch (error) {
      logger.warn({ err: error }, 'the copy of the index on disk is of no use');
      return null;
    }
  }

  private async saveSnapshot(): Promise<void> {
    const { current } = this;
    const { snapshots } = this.options;
    if (!snapshots || !current || current.state.revision === this.savedRevision) return;
    current.index.freeze();
    await current.index.maintained();
    const { settledRevision: revision, segmentsInUse: segments } = current.index;
    await snapshots.save({ catalogId: current.state.catalogId, revision, segments });
    this.savedRevision = revision;
  }
}

/** PostgreSQL's own estimate: counting would take as long as a good part of the building. */
async function estimatedCreators(dataSource: DataSource): Promise<number> {
  const [row] = await readingFrom(dataSource)<{ estimate: number }>(
    "SELECT greatest(reltuples, 0)::integer AS estimate FROM pg_class WHERE oid = 'creators'::regclass",
  );
  return row?.estimate ?? 0;
}
