import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { textVersion } from '#contracts/threads';
import { countBits } from '../postings/document-set.js';
import { formatVersion } from './sections.js';
import { type SegmentInUse, Tombstones } from './segment-in-use.js';
import { Segment } from './segment.js';

/** The state of the catalog that an index shows. */
export interface IndexedState {
  /** New when the catalog's database is created or restored. */
  readonly catalogId: string;
  /** Every change up to this one is in the index. */
  readonly revision: number;
}

export interface IndexSnapshot extends IndexedState {
  readonly segments: readonly SegmentInUse[];
}

interface SavedSegment {
  readonly file: string;
  readonly checksum: number;
  /** Base64 of the bitmap of documents that are gone. */
  readonly gone: string;
}

interface Manifest extends IndexedState {
  readonly format: number;
  /** By which rule its texts are folded. */
  readonly text: string;
  readonly segments: readonly SavedSegment[];
}

const manifestName = 'index.json';

/**
 * Keeps an index on disk, for a quick start. Segments never change, so each is written once; the manifest is replaced
 * by a rename. It is only a copy: if it is unusable, the index is built from PostgreSQL instead.
 */
export class SnapshotStore {
  private readonly files = new WeakMap<SharedArrayBuffer, { file: string; checksum: number }>();

  /** `folding`: the version of the rule by which the texts of its indexes are folded. */
  constructor(
    private readonly directory: string,
    private readonly folding: string = textVersion,
  ) {}

  /**
   * `null` when there is none that this version can read, or an unwanted one: of another state, or too large. Throws for
   * a damaged one.
   */
  async load(
    isWanted: (state: IndexedState, bytes: number) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<IndexSnapshot | null> {
    const manifest = await this.readManifest();
    if (!manifest || !(await isWanted(manifest, await this.sizeOf(manifest)))) return null;
    const segments = await Promise.all(manifest.segments.map((saved) => this.readSegment(saved)));
    return { catalogId: manifest.catalogId, revision: manifest.revision, segments };
  }

  async save({ catalogId, revision, segments }: IndexSnapshot): Promise<void> {
    // Copied, because more documents may go while the files are being written.
    const gone = segments.map((segment) =>
      Buffer.from(segment.gone.bitmap.slice().buffer).toString('base64'),
    );
    await mkdir(this.directory, { recursive: true });
    const saved: SavedSegment[] = [];
    for (const [index, { segment }] of segments.entries()) {
      saved.push({ ...(await this.writeSegment(segment)), gone: gone[index] ?? '' });
    }
    const manifest: Manifest = {
      format: formatVersion,
      text: this.folding,
      catalogId,
      revision,
      segments: saved,
    };
    const checked = { ...manifest, checksum: checksumOf(manifest) };
    await this.replace(manifestName, Buffer.from(JSON.stringify(checked)));
    await this.removeOthers(saved.map(({ file }) => file));
  }

  /** `null` when there is none, or one of another version. */
  private async readManifest(): Promise<Manifest | null> {
    const file = await readFile(join(this.directory, manifestName), 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    if (file === null) return null;
    const { checksum, ...manifest } = JSON.parse(file) as Manifest & { readonly checksum?: number };
    if (manifest.format !== formatVersion || manifest.text !== this.folding) return null;
    if (checksumOf(manifest) !== checksum) throw new Error(`${manifestName} is damaged`);
    return manifest;
  }

  private async sizeOf({ segments }: Manifest): Promise<number> {
    const files = await Promise.all(segments.map(({ file }) => stat(join(this.directory, file))));
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  private async readSegment({ file, checksum, gone }: SavedSegment): Promise<SegmentInUse> {
    const buffer = await readShared(join(this.directory, file));
    if (crc32(Buffer.from(buffer)) !== checksum) throw new Error(`${file} is damaged`);
    this.files.set(buffer, { file, checksum });
    const segment = new Segment(buffer);
    const bitmap = new Uint32Array(new Uint8Array(Buffer.from(gone, 'base64')).buffer);
    const tombstones = new Tombstones(segment.size, bitmap);
    tombstones.count = countBits(bitmap);
    return { segment, gone: tombstones };
  }

  private async writeSegment({ buffer }: Segment): Promise<{ file: string; checksum: number }> {
    const known = this.files.get(buffer);
    if (known && existsSync(join(this.directory, known.file))) return known;
    const bytes = Buffer.from(buffer);
    const written = { file: `${randomUUID()}.segment`, checksum: crc32(bytes) };
    await this.replace(written.file, bytes);
    this.files.set(buffer, written);
    return written;
  }

  private async replace(name: string, bytes: Buffer): Promise<void> {
    const unfinished = join(this.directory, `${name}.unfinished`);
    await writeFile(unfinished, bytes, { flush: true });
    await rename(unfinished, join(this.directory, name));
  }

  private async removeOthers(files: readonly string[]): Promise<void> {
    for (const name of await readdir(this.directory)) {
      if (/\.(segment|unfinished)$/.test(name) && !files.includes(name)) {
        await rm(join(this.directory, name), { force: true });
      }
    }
  }
}

/** Checksum of the manifest's content, however it is formatted. */
function checksumOf(manifest: Manifest): number {
  return crc32(JSON.stringify(manifest));
}

/** Reads a file into memory that every thread shares, without a copy in between. */
async function readShared(path: string): Promise<SharedArrayBuffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = new SharedArrayBuffer(size);
    const bytes = Buffer.from(buffer);
    for (let end = 0; end < size;) {
      const { bytesRead } = await file.read(bytes, end, size - end);
      if (bytesRead === 0) throw new Error(`${path} ends early`);
      end += bytesRead;
    }
    return buffer;
  } finally {
    await file.close();
  }
}
