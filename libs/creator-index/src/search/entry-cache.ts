/** Characters in each of two generations. */
const charactersMax = 8_000_000;

/**
 * Caches recently written entries: a search shows the newest creators first, so the same ones recur. The older of two
 * generations is dropped when the younger one is full.
 */
export class EntryCache {
  private young = new Map<number, string>();
  private old = new Map<number, string>();
  private characters = 0;

  constructor(private readonly charactersPerGeneration = charactersMax) {}

  /** The cached entry of this key, else the one that `make` returns. */
  get(key: number, make: () => string): string {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const entry = this.old.get(key) ?? make();
    this.young.set(key, entry);
    this.characters += entry.length;
    if (this.characters > this.charactersPerGeneration) this.age();
    return entry;
  }

  private age(): void {
    this.old = this.young;
    this.young = new Map();
    this.characters = 0;
  }
}
