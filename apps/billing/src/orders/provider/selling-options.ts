import { type PriceOptions } from '#checkout';
import { type BillingConfig } from '../../config/billing-config.js';

/** Injection token of `SellingOptions`. */
export const SELLING_OPTIONS = Symbol('SELLING_OPTIONS');

/** How packs are sold; from the configuration of the service. */
export interface SellingOptions extends PriceOptions {
  /** An invoice is made for each paid order. Default: none. */
  readonly invoices?: boolean;
  /** Empty: selling is off. */
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** A stand-in for the API; empty: Stripe itself. */
  readonly apiUrl: string;
  /** The origin of the pages on which buyers pay. */
  readonly checkoutUrl: string;
  readonly reconciliationPeriodMs: number;
}

export function sellingOptions(config: BillingConfig): SellingOptions {
  return {
    secretKey: config.STRIPE_SECRET_KEY,
    webhookSecret: config.STRIPE_WEBHOOK_SECRET,
    checkoutUrl: config.STRIPE_CHECKOUT_URL,
    apiUrl: config.STRIPE_API_URL,
    automaticTax: config.STRIPE_AUTOMATIC_TAX === 'on',
    promotionCodes: config.STRIPE_PROMOTION_CODES === 'on',
    invoices: config.STRIPE_INVOICES === 'on',
    reconciliationPeriodMs: config.RECONCILIATION_PERIOD_MS,
  };
}

/**
 * An address that customers may be sent to: a page of Stripe by https, of the custom domain of Checkout, or of the stand-in. `null` for
 * anything else.
 */
export function stripePage(
  url: string | null | undefined,
  { apiUrl, checkoutUrl }: Pick<SellingOptions, 'apiUrl' | 'checkoutUrl'>,
): string | null {
  if (!url || !URL.canParse(url)) return null;
  const { protocol, hostname, origin } = new URL(url);
  const isOfStripe = protocol === 'https:' && hostname.endsWith('.stripe.com');
  const own = [checkoutUrl, apiUrl].filter((one) => one !== '').map((one) => new URL(one).origin);
  return isOfStripe || own.includes(origin) ? url : null;
}
