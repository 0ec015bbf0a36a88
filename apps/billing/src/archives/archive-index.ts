import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { comparePlaces, type Place, placeOf } from './archived-entry.js';

/** A member of the file, which can be read and unpacked alone, and the place of its first line. */
export interface Block extends Place {
  readonly offset: number;
  readonly bytes: number;
}

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** The blocks of an archive in their order: where the entries of an account are. */
export class ArchiveIndex {
  constructor(readonly blocks: readonly Block[]) {}

  static async read(path: string): Promise<ArchiveIndex> {
    const lines = (await decompress(await readFile(path))).toString().split('\n').slice(0, -1);
    return new ArchiveIndex(
      lines.map((line) => {
        const [offset, bytes] = line.split(',').slice(2).map(Number);
        if (offset === undefined || bytes === undefined) throw new Error(`not a line of an index: ${line}`);
        return { ...placeOf(line), offset, bytes };
      }),
    );
  }

  async write(path: string): Promise<void> {
    const lines = this.blocks.map(
      ({ accountId, id, offset, bytes }) => `${accountId},${id},${offset},${bytes}\n`,
    );
    await writeFile(path, await compress(lines.join('')), { flush: true });
  }

  /** The number of the last block that can have lines before this place; -1: none. */
  lastBefore(place: Place): number {
    let [low, high] = [0, this.blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const block = this.blocks[middle];
      if (block && comparePlaces(block, place) < 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
