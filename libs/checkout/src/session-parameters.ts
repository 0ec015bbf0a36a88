import { type CardPack } from '#contracts';
import type Stripe from 'stripe';

/** The credits to be paid for. */
export interface OrderedCredits {
  /** The order, by which the payment is found again. */
  readonly id: string;
  readonly accountId: string;
  /** The member who orders. */
  readonly personId: string;
  readonly pack: CardPack;
  readonly credits: number;
  readonly priceCents: number;
  /** The customer at Stripe to whom an invoice is made out. Default: no invoice is made. */
  readonly customerId?: string | undefined;
  /** Pages to which the buyer returns after paying, and after going back. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Additions to the price and discounts by Stripe. */
export interface PriceOptions {
  /** Stripe Tax adds the tax of the buyer's address. Default: off. */
  readonly automaticTax?: boolean;
  /** Buyers may enter promotion codes of the operator. Default: off. */
  readonly promotionCodes?: boolean;
}

/** The order, in the metadata of its session. */
export type OrderMetadata = Record<
  'order_id' | 'account_id' | 'person_id' | 'pack' | 'credits' | 'price_cents',
  string
>;

/** The Checkout session in which an order is paid. */
export function sessionParameters(
  order: OrderedCredits,
  { automaticTax = false, promotionCodes = false }: PriceOptions = {},
): Stripe.Checkout.SessionCreateParams {
  const name = `${order.credits.toLocaleString('en')} credits`;
  const metadata = metadataOf(order);
  return {
    mode: 'payment',
    // Everyone pays in dollars, so that the payment can be compared with the price.
    adaptive_pricing: { enabled: false },
    // Lets operators find the order in the Dashboard; billing reads the metadata.
    client_reference_id: order.id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: order.priceCents,
          product_data: { name },
          // Tax comes on top, whatever the account's default: the subtotal stays the price of the pack.
          ...(automaticTax ? { tax_behavior: 'exclusive' as const } : {}),
        },
      },
    ],
    // Checkout then asks for the parts of the billing address that the tax depends on.
    ...(automaticTax ? { automatic_tax: { enabled: true } } : {}),
    ...(promotionCodes ? { allow_promotion_codes: true } : {}),
    ...(order.customerId === undefined ? {} : invoiceParameters(order.customerId, metadata)),
    metadata,
    payment_intent_data: { description: name, metadata },
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
  };
}

/** All that the order is: a database that was restored to an instant before it gets it back from here. */
function metadataOf({ id, accountId, personId, pack, credits, priceCents }: OrderedCredits): OrderMetadata {
  return {
    order_id: id,
    account_id: accountId,
    person_id: personId,
    pack,
    credits: String(credits),
    price_cents: String(priceCents),
  };
}

/** Checkout asks for what an invoice has to say about its buyer, and keeps it at the customer for the next one. */
function invoiceParameters(
  customer: string,
  metadata: Stripe.MetadataParam,
): Partial<Stripe.Checkout.SessionCreateParams> {
  return {
    customer,
    // Stripe refuses tax without the address, and tax IDs without the name of the company.
    customer_update: { address: 'auto', name: 'auto' },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true },
    invoice_creation: { enabled: true, invoice_data: { metadata } },
  };
}
