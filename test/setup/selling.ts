import { startStripeStandIn } from '#stripe-stand-in';
import { MailInbox, MailListing } from '#testing';

/** What a stack needs to sell: a payment provider and a mail server. */
export interface Selling {
  /** For the services. */
  readonly environment: Readonly<Record<string, string>>;
  /** For the suites, which run in other processes. */
  readonly variables: Readonly<Record<string, string>>;
  /** From now on, events of payments are sent to the website at this origin. */
  sendEventsTo(siteUrl: string): void;
  stop(): Promise<void>;
}

const webhookSecret = 'whsec_of_the_test_suites';

/** Starts a stand-in for Stripe and a real mail server, both in this process. */
export async function startSelling(): Promise<Selling> {
  const [payments, inbox] = await Promise.all([startStripeStandIn(), MailInbox.start()]);
  const mails = await MailListing.start(inbox);
  return {
    environment: {
      // With `production`, billing refuses any Stripe but the real one.
      NODE_ENV: 'test',
      STRIPE_SECRET_KEY: payments.secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: payments.url,
      STRIPE_CHECKOUT_URL: payments.url,
      STRIPE_INVOICES: 'on',
      MAIL_URL: inbox.url,
      MAIL_FROM: 'Creator Search <no-reply@search.example>',
      SIGN_UP: 'open',
      SALES_EMAIL: 'sales@search.example',
    },
    variables: { STRIPE_STAND_IN_URL: payments.url, MAIL_LISTING_URL: mails.url },
    sendEventsTo: (siteUrl) => {
      payments.webhooks.endpoint = { url: `${siteUrl}/webhooks/stripe`, secret: webhookSecret };
    },
    stop: async () => {
      await Promise.all([payments.stop(), mails.stop(), inbox.close()]);
    },
  };
}
