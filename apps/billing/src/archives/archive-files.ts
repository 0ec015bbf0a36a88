import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ArchiveIndex, type Block } from './archive-index.js';
import { type ArchivedEntry, comparePlaces, headerLine, parseLines, placeOf } from './archived-entry.js';

/** Lines of one block, unpacked: a page of a statement reads one or two. */
const blockBytes = 256 * 1_024;
/** More than any block, packed or not: a wrong index must not fill the memory. */
const blockBytesMax = 16 * 1_024 * 1_024;
const newline = 0x0a;
const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** A month in UTC, as `2026-11`. */
export type Month = string;

/** What identifies the contents of an archive. */
export interface ArchiveFacts {
  readonly month: Month;
  readonly entries: number;
  readonly bytes: number;
  /** Of the file, hex. */
  readonly sha256: string;
}

interface Paths {
  readonly file: string;
  readonly index: string;
}

function pathsOf(directory: string, month: Month): Paths {
  return {
    file: join(directory, `ledger-${month}.csv.gz`),
    index: join(directory, `ledger-${month}.index.gz`),
  };
}

/**
 * Writes an archive and its index, from lines that are sorted by account and id, in chunks of any size. Nothing stands under the
 * name of the archive before it is complete and on the disk.
 */
export async function writeArchive(
  directory: string,
  month: Month,
  chunks: AsyncIterable<Buffer>,
): Promise<ArchiveFacts> {
  const { file, index } = pathsOf(directory, month);
  const partial = `${file}.partial`;
  const handle = await open(partial, 'w', 0o640);
  const [hash, blocks] = [createHash('sha256'), [] as Block[]];
  let [bytes, entries] = [0, 0];
  const append = async (lines: Buffer): Promise<number> => {
    const member = await compress(lines);
    await handle.write(member, 0, member.length, bytes);
    hash.update(member);
    bytes += member.length;
    return member.length;
  };
  try {
    await append(Buffer.from(headerLine));
    for await (const lines of wholeLines(chunks)) {
      const offset = bytes;
      blocks.push({ ...placeOf(firstLine(lines)), offset, bytes: await append(lines) });
      entries += countLines(lines);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await new ArchiveIndex(blocks).write(index);
  await rename(partial, file);
  await syncDirectory(directory);
  return { month, entries, bytes, sha256: hash.digest('hex') };
}

/** A name stands after a power failure only once its directory is on the disk. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}

/** An archive that is read: an account's entries backwards, or all of it. */
export class ArchiveReader {
  private constructor(
    private readonly handle: FileHandle,
    private readonly index: ArchiveIndex,
  ) {}

  static async open(directory: string, month: Month): Promise<ArchiveReader> {
    const { file, index } = pathsOf(directory, month);
    const handle = await open(file);
    try {
      return new ArchiveReader(handle, await ArchiveIndex.read(index));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /** The entries of an account with an id below `before`, the newest first. Reads a block when its entries are asked for. */
  async *entriesBefore(accountId: string, before: string): AsyncGenerator<ArchivedEntry> {
    for (let at = this.index.lastBefore({ accountId, id: before }); at >= 0; at -= 1) {
      const block = this.index.blocks[at];
      if (!block) return;
      const entries = await this.read(block);
      for (const entry of entries.reverse()) {
        if (entry.accountId === accountId && BigInt(entry.id) < BigInt(before)) yield entry;
      }
      if (block.accountId !== accountId) return;
    }
  }

  /**
   * Every entry in the order of the file, block by block, and what the file is by now, whatever its index says. Throws for an index
   * that is not that of the file.
   */
  async *blocks(): AsyncGenerator<ArchivedEntry[], { readonly bytes: number; readonly sha256: string }> {
    const hash = createHash('sha256');
    const { size } = await this.handle.stat();
    let end = 0;
    for (const block of this.index.blocks) {
      if (!(block.offset >= end)) {
        throw new Error('The index of the archive has a block inside of another one.');
      }
      await this.hashBetween(hash, end, block.offset);
      const member = await this.bytesAt(block.offset, block.bytes);
      hash.update(member);
      end = block.offset + block.bytes;
      const entries = await entriesIn(member);
      const [first] = entries;
      if (!first || comparePlaces(first, block) !== 0) {
        throw new Error('The index of the archive has other entries than its file.');
      }
      yield entries;
    }
    await this.hashBetween(hash, end, size);
    return { bytes: size, sha256: hash.digest('hex') };
  }

  private async read({ offset, bytes }: Block): Promise<ArchivedEntry[]> {
    return entriesIn(await this.bytesAt(offset, bytes));
  }

  private async hashBetween(hash: Hash, start: number, end: number): Promise<void> {
    for (let at = start; at < end; at += blockBytes) {
      hash.update(await this.bytesAt(at, Math.min(blockBytes, end - at)));
    }
  }

  private async bytesAt(offset: number, length: number): Promise<Buffer> {
    if (!(length <= blockBytesMax)) throw new Error('The index of the archive has a block that is too long.');
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, offset);
    if (bytesRead < length) throw new Error('The archive is shorter than its index says.');
    return buffer;
  }
}

async function entriesIn(member: Buffer): Promise<ArchivedEntry[]> {
  return parseLines(await decompress(member, { maxOutputLength: blockBytesMax }));
}

/** Cuts chunks into blocks of whole lines. No column holds a line break. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < blockBytes) continue;
    const all = Buffer.concat(waiting);
    const end = all.lastIndexOf(newline) + 1;
    if (end > 0) yield all.subarray(0, end);
    waiting = [all.subarray(end)];
    bytes = all.length - end;
  }
  const rest = Buffer.concat(waiting);
  if (rest.length > 0) yield rest;
}

function firstLine(lines: Buffer): string {
  return lines.toString('latin1', 0, lines.indexOf(newline));
}

function countLines(lines: Buffer): number {
  let count = 0;
  for (let at = lines.indexOf(newline); at >= 0; at = lines.indexOf(newline, at + 1)) count += 1;
  return count;
}
