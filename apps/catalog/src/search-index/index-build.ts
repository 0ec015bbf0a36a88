import { type IndexedState, type SegmentInUse, useSegment } from '#creator-index';
import { type Logger } from '#platform';
import { type Query } from '#platform/database';
import { type IndexBuilder } from './index-builder.js';
import { type IndexMemory, type IndexSize } from './index-memory.js';

/** Bytes of a creator as our generator makes them; from its first segment on a build knows its own. */
const bytesPerCreatorUsually = 322;

/** A build of the whole index: how far it is, and whether it will fit into memory. */
export class IndexBuild {
  private readonly segments: SegmentInUse[] = [];
  private built: IndexSize = { creators: 0, bytes: 0 };
  private total = 0;

  /** `known` is the size of an index that this one replaces. */
  constructor(
    private readonly query: Query,
    private readonly memory: IndexMemory,
    private readonly logger: Logger,
    private readonly known?: IndexSize,
  ) {}

  /** What the whole index is expected to take. */
  get expected(): IndexSize {
    const creators = Math.max(this.total, this.built.creators);
    const each = bytesPerCreator(this.built) ?? bytesPerCreator(this.known) ?? bytesPerCreatorUsually;
    return { creators, bytes: creators * each };
  }

  get progress(): string {
    return `building: ${this.built.creators} of about ${this.total} creators`;
  }

  /** Asks for the number of creators: `expected` depends on it. */
  async prepare(): Promise<void> {
    this.total = await estimatedCreators(this.query);
  }

  /** Throws a `StartError` as soon as it is clear that the index doesn't fit. */
  async run(builder: IndexBuilder): Promise<{ state: IndexedState; segments: readonly SegmentInUse[] }> {
    const startedAt = performance.now();
    const state = await builder.read((segment) => this.take(segment));
    const { creators: documents, bytes } = this.built;
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info({ documents, bytes, revision: state.revision, duration_ms: durationMs }, 'index built');
    return { state, segments: this.segments };
  }

  private take(buffer: SharedArrayBuffer): void {
    const used = useSegment(buffer);
    this.segments.push(used);
    this.built = {
      creators: this.built.creators + used.segment.size,
      bytes: this.built.bytes + buffer.byteLength,
    };
    const { expected } = this;
    this.memory.check(this.built, expected);
    this.logger.info(
      { documents: this.built.creators, of_about: this.total, bytes_expected: Math.round(expected.bytes) },
      'building the index',
    );
  }
}

function bytesPerCreator(size: IndexSize | undefined): number | undefined {
  return size && size.creators > 0 ? size.bytes / size.creators : undefined;
}

/**
 * PostgreSQL's own estimates of the rows and of the part that is published: an exact count would take a good part of the
 * time of a build.
 */
const estimateSql = `
  SELECT greatest(reltuples, 0) * coalesce(
      most_common_freqs[array_position(most_common_vals::text::text[], 't')], 1
    )::float8 AS estimate
  FROM pg_class LEFT JOIN pg_stats
    ON pg_stats.schemaname = relnamespace::regnamespace::text AND tablename = relname AND attname = 'published'
  WHERE pg_class.oid = 'creators'::regclass`;

async function estimatedCreators(query: Query): Promise<number> {
  const [row] = await query<{ estimate: number }>('estimate creators', estimateSql);
  return Math.round(row?.estimate ?? 0);
}
