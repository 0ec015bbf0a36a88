import { Injectable } from '@nestjs/common';

/** Creators that are counted between two flushes; of further ones no read is counted until then. */
const creatorsMax = 20_000;

/** Reads of profiles since the last flush, in memory. Never counts a read twice; forgets some when it is full. */
@Injectable()
export class ReadCounter {
  readonly creatorsMax: number = creatorsMax;
  private counts = new Map<string, number>();

  get size(): number {
    return this.counts.size;
  }

  count(slug: string, reads = 1): void {
    const known = this.counts.get(slug);
    if (known === undefined && this.counts.size >= this.creatorsMax) return;
    this.counts.set(slug, (known ?? 0) + reads);
  }

  /** The counts so far; the counter starts anew. */
  take(): ReadonlyMap<string, number> {
    const taken = this.counts;
    this.counts = new Map();
    return taken;
  }
}
