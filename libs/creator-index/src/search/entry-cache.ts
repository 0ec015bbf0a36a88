/** Bytes in each of two generations. */
const bytesMax = 8_000_000;

/**
 * Caches recently written entries: a search shows the newest creators first, so the same ones recur. The older of two
 * generations is dropped when the younger one is full. Entries are cached as bytes: a page is then copied together, not
 * encoded again.
 */
export class EntryCache {
  private young = new Map<number, Buffer>();
  private old = new Map<number, Buffer>();
  private bytes = 0;

  constructor(private readonly bytesPerGeneration = bytesMax) {}

  /** The cached entry of this key, else the one that `make` returns. */
  get(key: number, make: () => Buffer): Buffer {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const entry = this.old.get(key) ?? make();
    this.young.set(key, entry);
    this.bytes += entry.length;
    if (this.bytes > this.bytesPerGeneration) this.age();
    return entry;
  }

  private age(): void {
    this.old = this.young;
    this.young = new Map();
    this.bytes = 0;
  }
}
