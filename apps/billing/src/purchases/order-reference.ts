const lotPrefix = 'stripe:';
const returnPrefix = 'refund:';
const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const orderReference = new RegExp(`^(${lotPrefix}${id}|${returnPrefix}${id}:\\d+)$`);

/** The reference of the lot of an order, which makes it the only one. */
export function lotReference(orderId: string): string {
  return `${lotPrefix}${orderId}`;
}

/** The reference of the adjustment that is the `number`th of an order. */
export function returnReference(orderId: string, number: number): string {
  return `${returnPrefix}${orderId}:${number}`;
}

/** References of these forms are reserved for orders: another purchase or adjustment with one would stand in for theirs. */
export function isOrderReference(reference: string): boolean {
  return orderReference.test(reference);
}
