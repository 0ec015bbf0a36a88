import { randomBytes } from 'node:crypto';
import { type Environment, loadConfig, redisUrl, urlWith } from '#platform';
import { startStripeStandIn } from '#stripe-stand-in';
import { startMailbox } from './mailbox.js';

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

/**
 * The payment provider and the mail server of a local stack: the shell's, else a stand-in for Stripe, which takes no money,
 * and a mailbox, which sends nothing.
 */
export async function openExternalServices(shell: NodeJS.ProcessEnv) {
  const hasStripe = shell.STRIPE_SECRET_KEY || shell.STRIPE_SECRET_KEY_FILE;
  const hasMail = shell.MAIL_URL || shell.MAIL_URL_FILE;
  const standIn = hasStripe ? null : await startStripeStandIn();
  const mailbox = hasMail ? null : await startMailbox();
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  return {
    /** Variables of the services. */
    environment: {
      ...(standIn && {
        STRIPE_SECRET_KEY: standIn.secretKey,
        STRIPE_WEBHOOK_SECRET: secret,
        STRIPE_API_URL: standIn.url,
        STRIPE_CHECKOUT_URL: standIn.url,
        STRIPE_INVOICES: 'on',
      }),
      ...(mailbox && {
        MAIL_URL: mailbox.mailUrl,
        MAIL_FROM: shell.MAIL_FROM || 'Creator Search <no-reply@creator-search.example>',
      }),
    },
    hasStandIn: standIn !== null,
    /** Where mails can be read; `undefined` with the shell's mail server. */
    mailboxUrl: mailbox?.url,
    sendWebhooksTo: (siteUrl: string): void => {
      const { href: url } = new URL('/webhooks/stripe', siteUrl);
      if (standIn) standIn.webhooks.endpoint = { url, secret };
    },
    stop: () => Promise.all([standIn?.stop(), mailbox?.stop()]),
  };
}

export type ExternalServices = Awaited<ReturnType<typeof openExternalServices>>;
