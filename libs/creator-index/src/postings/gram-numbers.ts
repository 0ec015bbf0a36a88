import { gramKey } from './grams.js';

const firstSlots = 1 << 16;

/** Numbers grams in the order of their first occurrence, without an object per gram. */
export class GramNumbers {
  private keys = new Float64Array(firstSlots);
  /** The gram's number plus one; 0 in a free slot. */
  private numbers = new Uint32Array(firstSlots);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** The number of a gram, assigned at its first occurrence. */
  numberOf(first: number, second: number, third: number): number {
    const key = gramKey(first, second, third);
    let slot = hash(first, second, third) & (this.keys.length - 1);
    for (;;) {
      const number = this.numbers[slot] ?? 0;
      if (number === 0) break;
      if (this.keys[slot] === key) return number - 1;
      slot = (slot + 1) & (this.keys.length - 1);
    }
    this.keys[slot] = key;
    this.count += 1;
    this.numbers[slot] = this.count;
    if (this.count * 2 > this.keys.length) this.grow();
    return this.count - 1;
  }

  /** All keys, ascending, and the position of each number's key among them. */
  sorted(): { keys: Float64Array; positions: Uint32Array } {
    const keys = this.keys.filter((_, slot) => this.numbers[slot] !== 0).sort();
    const positions = new Uint32Array(this.count);
    keys.forEach((key, position) => {
      let slot = hashOfKey(key) & (this.keys.length - 1);
      while (this.keys[slot] !== key) slot = (slot + 1) & (this.keys.length - 1);
      positions[(this.numbers[slot] ?? 0) - 1] = position;
    });
    return { keys, positions };
  }

  private grow(): void {
    const { keys, numbers } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.numbers = new Uint32Array(keys.length * 2);
    numbers.forEach((number, from) => {
      if (number === 0) return;
      const key = keys[from] ?? 0;
      let slot = hashOfKey(key) & (this.keys.length - 1);
      while (this.numbers[slot] !== 0) slot = (slot + 1) & (this.keys.length - 1);
      this.keys[slot] = key;
      this.numbers[slot] = number;
    });
  }
}

function hash(first: number, second: number, third: number): number {
  const mixed = Math.imul(Math.imul(first, 31) + second, 0x9e37_79b1) + Math.imul(third, 0x85eb_ca77);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d) >>> 8;
}

function hashOfKey(key: number): number {
  const units: [number, number, number] = [0, 0, 0];
  let rest = key;
  const lengths = key >= 0x1_0000_0000 ? 3 : key >= 0x1_0000 ? 2 : 1;
  for (let at = lengths - 1; at >= 0; at--) {
    units[at] = rest % 0x1_0000;
    rest = Math.floor(rest / 0x1_0000);
  }
  return hash(...units);
}
