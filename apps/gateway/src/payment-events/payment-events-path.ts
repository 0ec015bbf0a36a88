/** Where Stripe sends its webhooks. */
export const paymentEventsPath = '/webhooks/stripe';

export const signatureHeader = 'stripe-signature';

/** A dispute carries its evidence, up to 150,000 characters. */
export const eventBytesMax = 1_048_576;
