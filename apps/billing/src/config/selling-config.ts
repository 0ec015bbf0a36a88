import { type Environment, integer, type Rule } from '#platform';
import { EnvError, makeValidator, str } from 'envalid';
import { isOnThisMachine, webUrl } from './billing-rules.js';

/** A key or secret of Stripe, by the beginning that Stripe gives it; empty: none. */
const stripeSecret = (...beginnings: string[]) =>
  makeValidator<string>((input) => {
    if (input === '' || beginnings.some((beginning) => input.startsWith(beginning))) return input;
    throw new EnvError(`must begin with ${beginnings.join(' or ')}`);
  });

const secretKey = stripeSecret('sk_live_', 'sk_test_', 'rk_live_', 'rk_test_');
const onOrOff = (desc: string) => str({ choices: ['on', 'off'], default: 'off', desc });

/** The variables by which packs are sold. */
export const sellingSpecs = {
  STRIPE_SECRET_KEY: secretKey({
    default: '',
    desc: 'secret or restricted key of the Stripe account through which packs are sold; empty: none are sold',
  }),
  STRIPE_WEBHOOK_SECRET: stripeSecret('whsec_')({
    default: '',
    desc: 'signing secret of the webhook endpoint at Stripe that leads to `/webhooks/stripe` of the website; set with STRIPE_SECRET_KEY',
  }),
  STRIPE_CHECKOUT_URL: webUrl({
    default: 'https://checkout.stripe.com',
    desc: 'origin of the pages on which buyers pay; differs with a custom domain of Stripe Checkout',
  }),
  STRIPE_AUTOMATIC_TAX: onOrOff(
    '`on`: Stripe Tax adds tax to the price where the buyer owes it; set up Stripe Tax in the Dashboard first',
  ),
  STRIPE_PROMOTION_CODES: onOrOff(
    '`on`: buyers can enter the promotion codes that you made in the Stripe Dashboard',
  ),
  STRIPE_INVOICES: onOrOff(
    '`on`: Stripe makes an invoice for each paid order, and Checkout asks for the billing address and the tax ID; the key needs more rights',
  ),
  STRIPE_API_URL: webUrl({
    default: '',
    desc: 'for development: a stand-in for the API of Stripe; refused where NODE_ENV is `production`, where SITE_URL is not this machine, and with a live key',
  }),
  RECONCILIATION_PERIOD_MS: integer({ min: 1_000, max: 86_400_000 })({
    default: 3_600_000,
    desc: 'time between two reconciliations of orders with Stripe, ms: what no webhook has reported is found within it',
  }),
};

const liveKey = /^[a-z]+_live_/;

/**
 * Both secrets are set, or none. A live key takes money, so it is refused unless NODE_ENV is production. A stand-in grants credits
 * without a payment: it is refused in production, with a live key, and on a public origin.
 */
export function sellingRule(environment: Environment): Rule<typeof sellingSpecs> {
  return ({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_URL: url }) => ({
    ...(key && secret === '' ? { STRIPE_WEBHOOK_SECRET: 'is missing: set it with STRIPE_SECRET_KEY' } : {}),
    ...(secret && key === '' ? { STRIPE_SECRET_KEY: 'is missing: set it with STRIPE_WEBHOOK_SECRET' } : {}),
    ...(liveKey.test(key ?? '') && environment.NODE_ENV !== 'production'
      ? { STRIPE_SECRET_KEY: 'is a live key, which is refused unless NODE_ENV is production: use a test key' }
      : {}),
    ...(url ? standInProblems(key ?? '', environment) : {}),
  });
}

function standInProblems(key: string, { NODE_ENV, SITE_URL }: Environment): Readonly<Record<string, string>> {
  if (NODE_ENV === 'production') {
    return { STRIPE_API_URL: 'is refused where NODE_ENV is production: money has to come from Stripe' };
  }
  if (liveKey.test(key)) {
    return { STRIPE_API_URL: 'is refused with a live key: a stand-in must not see it, and takes no money' };
  }
  return isOnThisMachine(SITE_URL)
    ? {}
    : { STRIPE_API_URL: 'is refused where SITE_URL is not this machine: money has to come from Stripe' };
}
