/** What was seen in all histories together, for printing: what was never seen was not tested. */
export class Tally {
  histories = 0;
  private readonly counts = new Map<string, number>();

  /** Purchases that were paid and not granted, or granted more than once or without being paid. */
  lost = 0;
  doubled = 0;

  count(what: string, number = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + number);
  }

  /** An order at the end of its history: whether it was paid, and how many lots it has. */
  countPurchase(isPaid: boolean, lots: number): void {
    if (isPaid) this.count('purchases paid');
    if (isPaid && lots === 0) this.lost += 1;
    if (lots > (isPaid ? 1 : 0)) this.doubled += 1;
  }

  toString(): string {
    const each = [...this.counts].sort().map(([what, number]) => `${what} ${number}`);
    return `${this.histories} histories: ${each.join(', ')}; purchases lost ${this.lost}, doubled ${this.doubled}`;
  }
}
