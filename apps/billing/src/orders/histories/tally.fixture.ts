import { type Order } from '../order.entity.js';
import { type Truth } from './happenings.fixture.js';

/** What was seen in all histories together, for printing: what was never seen was not tested. */
export class Tally {
  histories = 0;
  /** Orders that were paid. */
  paid = 0;
  /** Orders that were paid and not granted, or granted more than once or without being paid. */
  lost = 0;
  doubled = 0;
  /** Orders whose money went back, and whose credits are accounted for one by one. */
  explained = 0;
  private readonly counts = new Map<string, number>();

  count(what: string, number = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + number);
  }

  /** An order at the end of its history: whether it was paid, and how many lots it has. */
  countPurchase(isPaid: boolean, lots: number): void {
    if (isPaid) this.paid += 1;
    if (isPaid && lots === 0) this.lost += 1;
    if (lots > (isPaid ? 1 : 0)) this.doubled += 1;
  }

  toString(): string {
    const { histories, paid, lost, doubled, explained } = this;
    const each = [...this.counts].sort().map(([what, number]) => `, ${what} ${number}`);
    return (
      `histories ${histories}, paid ${paid}, lost ${lost}, doubled ${doubled}, ` +
      `refunds explained ${explained}${each.join('')}`
    );
  }
}

/** What was paid at another price gives nothing, and an operator has to look as long as any of it is not back. */
export function expectReview(
  {
    state,
    problem,
    resolution,
    returnedCents,
  }: Pick<Order, 'state' | 'problem' | 'resolution' | 'returnedCents'>,
  truth: Truth,
  tally: Tally,
  lots: number,
): void {
  const isAllBack = truth.totalCents > 0 && truth.returnedCents === truth.totalCents;
  tally.count('reviews');
  if (lots > 0) tally.doubled += 1;
  expect(problem).toContain('ordered');
  expect({ state, resolution, returnedCents }).toEqual({
    // A refund that fails later leaves the order refunded, and opens the review again.
    state: isAllBack || state === 'refunded' ? 'refunded' : 'in_review',
    resolution: isAllBack ? 'refunded' : null,
    returnedCents: truth.returnedCents,
  });
}
