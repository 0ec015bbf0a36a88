import { randomBytes } from 'node:crypto';
import { loadConfig, redisUrl, urlWith, type Environment } from '#platform';
import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { Mailbox } from './mailbox/mailbox.js';

const database = urlWith('postgres:', 'postgresql:');
const specs = {
  CATALOG_DATABASE_URL: database({ default: '', desc: 'database of the creators' }),
  BILLING_DATABASE_URL: database({ default: '', desc: 'database of the accounts and the ledger' }),
  SERVICE_REDIS_URL: redisUrl({ default: '', desc: 'Redis of the services' }),
};

/** Throws a `ConfigError` naming every invalid variable, before anything is started. */
export function checkServerUrls(environment: Environment): void {
  loadConfig(specs, environment);
}

/** Stripe or its stand-in, through which the local stack sells packs. */
export interface CardSales {
  /** Variables of the services. */
  readonly environment: Readonly<Record<string, string>>;
  /** The origin of the stand-in; `null` with an account at Stripe. */
  readonly standInUrl: string | null;
  /** Sends webhooks to this origin. */
  sendWebhooksTo(publicUrl: string): void;
  stop(): Promise<void>;
}

/** Sells through the shell's Stripe account, else through a stand-in that takes no money. */
export async function openCardSales(shell: NodeJS.ProcessEnv): Promise<CardSales> {
  if (shell.STRIPE_SECRET_KEY || shell.STRIPE_SECRET_KEY_FILE) return throughStripe;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  return throughStandIn(await startStripeStandIn(), secret);
}

const throughStripe: CardSales = {
  environment: {},
  standInUrl: null,
  sendWebhooksTo: () => undefined,
  stop: () => Promise.resolve(),
};

function throughStandIn(standIn: StripeStandIn, secret: string): CardSales {
  return {
    environment: {
      STRIPE_SECRET_KEY: standIn.secretKey,
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_API_URL: standIn.url,
      STRIPE_CHECKOUT_URL: standIn.url,
      STRIPE_INVOICES: 'on',
    },
    standInUrl: standIn.url,
    sendWebhooksTo: (publicUrl) => {
      standIn.webhooks.endpoint = { url: new URL('/webhooks/stripe', publicUrl).href, secret };
    },
    stop: () => standIn.stop(),
  };
}

/** The mail server of the local stack. */
export interface Mailing {
  /** Variables of the services. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where mails can be read; `null` with the shell's mail server. */
  readonly mailboxUrl: string | null;
  stop(): Promise<void>;
}

/** Sends mail through the shell's server, else into a mailbox on this machine. */
export async function openMailing(shell: NodeJS.ProcessEnv): Promise<Mailing> {
  if (shell.MAIL_URL || shell.MAIL_URL_FILE) {
    return { environment: {}, mailboxUrl: null, stop: () => Promise.resolve() };
  }
  const mailbox = await Mailbox.start();
  return {
    environment: {
      MAIL_URL: mailbox.mailUrl,
      MAIL_FROM: shell.MAIL_FROM || 'Creator Search <no-reply@creator-search.example>',
    },
    mailboxUrl: mailbox.url,
    stop: () => mailbox.stop(),
  };
}
