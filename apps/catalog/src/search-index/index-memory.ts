import { totalmem } from 'node:os';
import { deletedShareMax } from '#creator-index';
import { StartError } from '#platform';

/** Memory of the process without its index: code, heaps, and the segment that is being built. */
const besidesBytes = 450_000_000;
/** PostgreSQL only estimates how many creators there are; beyond this an index certainly doesn't fit. */
const certainFactor = 1.25;

/** What an index takes, or is expected to. */
export interface IndexSize {
  readonly creators: number;
  readonly bytes: number;
}

/** The memory that an index may take: the given one, else that of the container or of the machine, less the process's own. */
export function memoryForIndex(givenMb: number): number {
  if (givenMb > 0) return givenMb * 1e6;
  const constrained = process.constrainedMemory();
  // Without a limit it is 0, or more than there is.
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(0, memory - besidesBytes);
}

/**
 * The limit of the index. The process would be killed when its memory is full; before that, an alert warns operators, then no
 * further creators are published, and at its start an index that doesn't fit is refused.
 */
export class IndexMemory {
  constructor(private readonly availableBytes: number) {}

  /** For what creators need; the rest is for their replaced versions, until merges have removed them. */
  get limitBytes(): number {
    return this.availableBytes * (1 - deletedShareMax.scarce);
  }

  /** Whether these many bytes fit, the replaced versions included. */
  hasRoomFor(bytes: number): boolean {
    return bytes <= this.availableBytes;
  }

  /** Throws when an index that is being built can't fit. `expected` is an estimate of the whole. */
  check(built: IndexSize, expected: IndexSize): void {
    const isCertain = expected.bytes > this.availableBytes * certainFactor;
    if (this.hasRoomFor(built.bytes) && !isCertain) return;
    throw new StartError(
      `The index does not fit into memory: about ${expected.creators} creators need ${megabytes(expected.bytes)}, ` +
        `and it may take ${megabytes(this.availableBytes)}. ${remedy}`,
    );
  }

  /** Why no further creators can be published; `null` while there is room. */
  problemOf({ creators, bytes }: IndexSize): string | null {
    if (bytes < this.limitBytes) return null;
    return `the index is full (${creators} creators, limit ${megabytes(this.limitBytes)}). ${remedy}`;
  }
}

const remedy =
  'Give the catalog more memory (the limit of its container or service, or INDEX_MEMORY_MB), or set SEARCH_ENGINE=sql.';

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
