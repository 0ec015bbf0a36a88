import type Stripe from 'stripe';

/** The version of the API that a webhook endpoint is rendered in. */
const apiVersion = '2026-10-28.endive';

const offered = { available: true, display_preference: { overridable: null, preference: 'on', value: 'on' } };

/** The shop's account at Stripe, as its operator has set it up in the Dashboard. A test changes it. */
export class ShopAccount {
  country = 'US';
  currency = 'usd';
  chargesEnabled = true;
  taxStatus: 'active' | 'pending' = 'active';
  taxCode: string | null = 'txcd_10103001';
  /** The events to which the webhook endpoint is subscribed. */
  enabledEvents: string[] = ['*'];
  /** Where events are sent now. */
  webhookUrl: () => string | undefined = () => undefined;

  get account(): Partial<Stripe.Account> {
    return {
      id: 'acct_standin',
      object: 'account',
      charges_enabled: this.chargesEnabled,
      country: this.country,
      default_currency: this.currency,
      details_submitted: this.chargesEnabled,
      payouts_enabled: this.chargesEnabled,
    };
  }

  get taxSettings(): Stripe.Tax.Settings {
    const isActive = this.taxStatus === 'active';
    return {
      object: 'tax.settings',
      defaults: { provider: 'stripe', tax_behavior: 'exclusive', tax_code: this.taxCode },
      head_office: null,
      livemode: false,
      status: this.taxStatus,
      status_details: isActive ? { active: {} } : { pending: { missing_fields: ['head_office'] } },
    };
  }

  get webhookEndpoints(): Stripe.WebhookEndpoint[] {
    const url = this.webhookUrl();
    if (url === undefined) return [];
    return [
      {
        id: 'we_standin',
        object: 'webhook_endpoint',
        api_version: apiVersion,
        application: null,
        created: 1_767_225_600,
        description: null,
        enabled_events: this.enabledEvents,
        livemode: false,
        metadata: {},
        status: 'enabled',
        url,
      },
    ];
  }

  get paymentMethodConfigurations(): object[] {
    return [
      {
        id: 'pmc_standin',
        object: 'payment_method_configuration',
        active: true,
        application: null,
        card: offered,
        is_default: true,
        livemode: false,
        name: 'Default',
        parent: null,
        us_bank_account: offered,
      },
    ];
  }
}
