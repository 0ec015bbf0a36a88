import { randomBytes } from 'node:crypto';
import { startStripeStandIn, type StripeStandIn } from '@app/stripe-stand-in';

/** Stripe, or what takes its place on this machine, through which the local stack sells packs. */
export interface CardSales {
  /** Variables of the services. */
  readonly environment: Readonly<Record<string, string>>;
  /** The origin of the stand-in; `null` with an account at Stripe. */
  readonly standInUrl: string | null;
  /** Has webhooks sent to this origin. */
  tell(publicUrl: string): void;
  stop(): Promise<void>;
}

/** Sells through the account at Stripe that the shell names, else through a stand-in that takes no money. */
export async function openCardSales(shell: NodeJS.ProcessEnv): Promise<CardSales> {
  if (shell.STRIPE_SECRET_KEY || shell.STRIPE_SECRET_KEY_FILE) return throughStripe;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  return throughStandIn(await startStripeStandIn(), secret);
}

const throughStripe: CardSales = {
  environment: {},
  standInUrl: null,
  tell: () => undefined,
  stop: () => Promise.resolve(),
};

function throughStandIn(standIn: StripeStandIn, secret: string): CardSales {
  return {
    environment: {
      STRIPE_SECRET_KEY: standIn.secretKey,
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_API_URL: standIn.url,
      STRIPE_CHECKOUT_URL: standIn.url,
    },
    standInUrl: standIn.url,
    tell: (publicUrl) => {
      standIn.webhooks.endpoint = { url: new URL('/webhooks/stripe', publicUrl).href, secret };
    },
    stop: () => standIn.stop(),
  };
}
