/** A small, fast, seeded source of randomness; the same words give the same sequence on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** Seeds sfc32 with two safe integers; sequences of neighbouring seeds are unrelated after the warm-up. */
  constructor(seed: number, stream: number) {
    this.a = seed >>> 0;
    this.b = (Math.floor(seed / 2 ** 32) ^ Math.imul(Math.floor(stream / 2 ** 32), 0x9e3779b1)) >>> 0;
    this.c = stream >>> 0;
    for (let i = 0; i < 12; i += 1) this.fraction();
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Uniform integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** Picks an index with a probability in proportion to its weight. */
  weighted(weights: readonly number[]): number {
    let rest = this.fraction() * weights.reduce((sum, weight) => sum + weight, 0);
    const index = weights.findIndex((weight) => (rest -= weight) < 0);
    return index === -1 ? weights.length - 1 : index;
  }

  /** `count` different items, in random order; fewer when there are not as many. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const rest = [...items];
    const chosen: Item[] = [];
    while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(this.below(rest.length), 1));
    return chosen;
  }
}
