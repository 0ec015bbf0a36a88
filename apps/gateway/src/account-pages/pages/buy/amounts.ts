import { type OrderView } from '@app/contracts';

/** An amount on the way from the price to what was paid, US cents; a discount is negative. */
export interface AmountLine {
  readonly name: string;
  readonly cents: number;
}

/** What the buyer paid, or is to pay, US cents. */
export function amountOf({ paid, price_cents }: OrderView): number {
  return paid?.total_cents ?? price_cents;
}

/** What makes up the amount, where that is more than the price. */
export function amountLines({ paid }: OrderView): AmountLine[] {
  if (!paid) return [];
  const lines = [
    { name: 'Discount', cents: -paid.discount_cents },
    { name: 'Tax', cents: paid.tax_cents },
  ].filter(({ cents }) => cents !== 0);
  return lines.length > 0 ? [{ name: 'Price', cents: paid.subtotal_cents }, ...lines] : [];
}

/** Whether a discount covered the whole price. */
export function isFree({ paid }: OrderView): boolean {
  return paid?.total_cents === 0;
}
