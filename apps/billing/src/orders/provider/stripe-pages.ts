import { type SellingOptions } from './selling-options.js';

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
