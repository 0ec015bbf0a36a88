/** A small, fast, seeded source of randomness (mulberry32): the same on every machine. */
export class Random {
  private state: number;

  /** Sequences of neighbouring seeds and streams begin far from each other. */
  constructor(seed: number, stream: number) {
    this.state = Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream, 0x85ebca6b);
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
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
