import { StandInError } from './stand-in-error.js';

/** What changes the price of a session on its way to the buyer. */
export interface PriceChanges {
  /** Added to what is left after the discount. Default: none. */
  readonly taxPercent?: number | undefined;
  /** The discount, percent of the price. */
  readonly discountPercent?: number | undefined;
  /** The discount in cents; more than the price: all of it. */
  readonly discountCents?: number | undefined;
}

/** The amounts of a session, cents. */
export interface Amounts {
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
}

/** Promotion codes that the page to pay on takes, and their discounts in percent. */
export const promotionCodes: ReadonlyMap<string, number> = new Map([
  ['SAVE20', 20],
  ['FREE', 100],
]);

/** The discount comes off first; the tax is on the rest. */
export function amountsOf(subtotal: number, changes: PriceChanges): Amounts {
  const { taxPercent = 0, discountPercent = 0, discountCents = 0 } = changes;
  if (discountPercent < 0 || discountPercent > 100 || taxPercent < 0) {
    throw new StandInError(400, 'A discount is from 0 to 100 percent, and a tax is not negative.');
  }
  const discount = Math.min(subtotal, discountCents + Math.round((subtotal * discountPercent) / 100));
  const tax = Math.round(((subtotal - discount) * taxPercent) / 100);
  return { discount, tax, total: subtotal - discount + tax };
}
