import { type BitmapIndex, type IndexedState, type IndexSnapshot, type SnapshotStore } from '#creator-index';
import { type Logger } from '#platform';
import { type Query } from '#platform/database';
import { type IndexMemory } from './index-memory.js';
import { readState } from './index-source.js';

/** The copy of an index on disk: read at start if it belongs to this database, written when the index has changed. */
export class IndexSnapshots {
  private savedRevision = -1;

  constructor(
    private readonly store: SnapshotStore,
    private readonly query: Query,
    private readonly memory: IndexMemory,
    private readonly logger: Logger,
  ) {}

  /** `null` without a copy that can be brought up to date and fits into memory; the reason is logged. */
  async load(): Promise<IndexSnapshot | null> {
    const startedAt = performance.now();
    try {
      const snapshot = await this.store.load((saved, bytes) => this.isUsable(saved, bytes));
      if (!snapshot) return null;
      const { revision } = snapshot;
      this.logger.info(
        { revision, duration_ms: Math.round(performance.now() - startedAt) },
        'index loaded from disk',
      );
      this.savedRevision = revision;
      return snapshot;
    } catch (error) {
      this.logger.warn({ err: error }, 'the copy of the index on disk is unusable');
      return null;
    }
  }

  private async isUsable({ catalogId, revision }: IndexedState, bytes: number): Promise<boolean> {
    const now = await readState(this.query);
    const isCurrent =
      now.catalogId === catalogId && now.revision >= revision && revision >= now.forgottenRevision;
    const fits = this.memory.hasRoomFor(bytes);
    if (!isCurrent || !fits) {
      this.logger.info({ revision, bytes, fits }, 'the copy of the index on disk is not used');
    }
    return isCurrent && fits;
  }

  /**
   * Copies an index that shows this state, unless it was copied last time; first puts its latest changes into segments.
   */
  async save(index: BitmapIndex, state: IndexedState): Promise<void> {
    if (state.revision === this.savedRevision) return;
    index.freeze();
    await index.maintained();
    const { settledRevision: revision, segmentsInUse: segments } = index;
    await this.store.save({ catalogId: state.catalogId, revision, segments });
    this.savedRevision = revision;
  }
}
