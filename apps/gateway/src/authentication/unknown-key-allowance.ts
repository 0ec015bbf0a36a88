interface Allowance {
  /** Unknown keys that are looked up right away. */
  left: number;
  /** When that was so, on the monotonic clock, ms. */
  at: number;
}

const allowanceMax = 20;
const refillMs = 1_000;
const addressesMax = 10_000;

/** Counts the unknown keys that each address sends: a few are mistakes, 20 and one more every second are a search for one. */
export class UnknownKeyAllowance {
  /** The address that was counted last is the last one. */
  private readonly addresses = new Map<string, Allowance>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  isUsedUp(address: string): boolean {
    return this.left(networkOf(address)) < 1;
  }

  count(address: string): void {
    const network = networkOf(address);
    const left = Math.max(0, this.left(network) - 1);
    this.addresses.delete(network);
    this.addresses.set(network, { left, at: this.now() });
    if (this.addresses.size <= addressesMax) return;
    const oldest = this.addresses.keys().next();
    if (!oldest.done) this.addresses.delete(oldest.value);
  }

  private left(network: string): number {
    const { left, at } = this.addresses.get(network) ?? { left: allowanceMax, at: 0 };
    return Math.min(allowanceMax, left + (this.now() - at) / refillMs);
  }
}

/** Whoever has one IPv6 address has the 2^64 of its network. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':');
  const after = address.includes('::') ? tail.split(':').filter((group) => group !== '') : [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}
