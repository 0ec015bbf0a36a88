import { type Customer, newId } from '../books/objects.js';
import { type Books } from '../books/returns.js';
import { invalid, StandInError } from '../books/stand-in-error.js';
import { type ApiBooks, type ApiCall } from './call.js';
import { neededText, refuseUnknown, textAt, textsAt } from './form.js';

const configurationId = 'bpc_standin';

export function createCustomer({ invoicing }: Books, { form }: ApiCall): Customer {
  refuseUnknown(form, ['email', 'metadata', 'name']);
  const email = textAt(form, 'email') ?? null;
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalid('email', `Invalid email address: ${email}`);
  }
  return invoicing.createCustomer({
    email,
    metadata: textsAt(form, 'metadata'),
    name: textAt(form, 'name') ?? null,
  });
}

/** A visit of a customer to the portal, for as long as its address works. */
export function createPortalSession({ origin, records }: ApiBooks, { form }: ApiCall): object {
  refuseUnknown(form, ['customer', 'return_url']);
  const customer = neededText(form, 'customer');
  if (!records.customers.has(customer)) {
    const missing = { code: 'resource_missing', param: 'customer' };
    throw new StandInError(400, `No such customer: '${customer}'`, missing);
  }
  if (!records.shop.hasPortal) {
    throw invalid(
      'configuration',
      'No configuration provided and your test mode default configuration has not been created. Provide a ' +
        'configuration or create your default by saving your customer portal settings in test mode at ' +
        'https://dashboard.stripe.com/test/settings/billing/portal.',
    );
  }
  return {
    id: newId('bps'),
    object: 'billing_portal.session',
    configuration: configurationId,
    created: records.now,
    customer,
    livemode: false,
    return_url: textAt(form, 'return_url') ?? null,
    url: `${origin()}/p/session/${customer}`,
  };
}

export function portalConfigurations({ records }: Books) {
  const { hasPortal, portalUpdates } = records.shop;
  if (!hasPortal) return [];
  const configuration = {
    id: configurationId,
    object: 'billing_portal.configuration',
    active: true,
    created: records.now,
    features: { customer_update: { allowed_updates: portalUpdates, enabled: portalUpdates.length > 0 } },
    is_default: true,
    livemode: false,
  };
  return [configuration];
}
