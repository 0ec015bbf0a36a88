import { conflict } from '../errors.js';

const grantPrefix = 'agreement:';
const lotPrefix = 'stripe:';
const returnPrefix = 'refund:';
const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const orderReference = new RegExp(`^(${lotPrefix}${id}|${returnPrefix}${id}:\\d+)$`);

/** The reference of the grant for a due date, which makes it unique. */
export function grantReference(agreementId: string, due: Date): string {
  return `${grantPrefix}${agreementId}:${due.toISOString().slice(0, 10)}`;
}

/** The reference of the lot of an order, by which there is only one. */
export function lotReference(orderId: string): string {
  return `${lotPrefix}${orderId}`;
}

/** The reference of the `number`th adjustment of an order or of a refunded lot. */
export function returnReference(orderOrLotId: string, number: number): string {
  return `${returnPrefix}${orderOrLotId}:${number}`;
}

/** Reserved: a purchase with the reference of a due date would replace its grant. */
export function isGrantReference(reference: string): boolean {
  return reference.startsWith(grantPrefix);
}

/** The order whose lot has this reference; `null`: the lot was not bought by card. */
export function orderOfLot(reference: string | null): string | null {
  const isOfOrder = reference?.startsWith(lotPrefix) === true && isOrderReference(reference);
  return isOfOrder ? reference.slice(lotPrefix.length) : null;
}

/** Reserved: another purchase or adjustment with such a reference would replace that of an order. */
export function isOrderReference(reference: string): boolean {
  return orderReference.test(reference);
}

/** Throws `conflict` for a known reference with other content; `isSame`: whether each field is unchanged. */
export function refuseOther(what: string, isSame: Readonly<Record<string, boolean>>): void {
  const differing = Object.keys(isSame).filter((field) => !isSame[field]);
  if (differing.length === 0) return;
  throw conflict(
    `This reference belongs to ${what} with other content (${differing.join(', ')}); use a new one.`,
  );
}
