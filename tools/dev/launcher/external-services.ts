import { randomBytes } from 'node:crypto';
import { type Environment, loadConfig, redisUrl, urlWith } from '#platform';
import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { Mailbox } from './mailbox.js';

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
export class ExternalServices {
  private readonly webhookSecret = `whsec_${randomBytes(24).toString('base64')}`;

  private constructor(
    private readonly standIn: StripeStandIn | null,
    private readonly mailbox: Mailbox | null,
    private readonly mailFrom: string,
  ) {}

  static async open(shell: NodeJS.ProcessEnv): Promise<ExternalServices> {
    const hasStripe = shell.STRIPE_SECRET_KEY || shell.STRIPE_SECRET_KEY_FILE;
    const hasMail = shell.MAIL_URL || shell.MAIL_URL_FILE;
    return new ExternalServices(
      hasStripe ? null : await startStripeStandIn(),
      hasMail ? null : await Mailbox.start(),
      shell.MAIL_FROM || 'Creator Search <no-reply@creator-search.example>',
    );
  }

  /** Variables of the services. */
  get environment(): Record<string, string> {
    const { standIn, mailbox, webhookSecret, mailFrom } = this;
    return {
      ...(standIn && {
        STRIPE_SECRET_KEY: standIn.secretKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_API_URL: standIn.url,
        STRIPE_CHECKOUT_URL: standIn.url,
        STRIPE_INVOICES: 'on',
      }),
      ...(mailbox && { MAIL_URL: mailbox.mailUrl, MAIL_FROM: mailFrom }),
    };
  }

  /** The stand-in for Stripe; `undefined` with an account at Stripe. */
  get paymentsUrl(): string | undefined {
    return this.standIn?.url;
  }

  /** Where mails can be read; `undefined` with the shell's mail server. */
  get mailboxUrl(): string | undefined {
    return this.mailbox?.url;
  }

  sendWebhooksTo(siteUrl: string): void {
    if (!this.standIn) return;
    this.standIn.webhooks.endpoint = {
      url: new URL('/webhooks/stripe', siteUrl).href,
      secret: this.webhookSecret,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.standIn?.stop(), this.mailbox?.stop()]);
  }
}
