import { subscribedEvents } from '#checkout';
import type Stripe from 'stripe';
import { type CheckRun } from '../check-run.js';

const path = '/webhooks/stripe';
const where = 'Dashboard: Developers > Webhooks.';

/** Whether Stripe sends this service its events. */
export async function checkWebhook({ account, options, report }: CheckRun): Promise<void> {
  const answer = await account.callStripe('webhook-endpoints', () =>
    account.api.webhookEndpoints.list({ limit: 100 }),
  );
  if (answer.kind !== 'object') {
    const why = answer.kind === 'denied' ? `your key may not read it ("${answer.right}")` : answer.message;
    report.notPossible(
      'the endpoint',
      `could not be read: ${why}`,
      `Billing does not need it. See the ${where}`,
    );
    return;
  }
  const url = options.publicUrl === null ? null : new URL(path, options.publicUrl).href;
  const ours = answer.object.data.filter((endpoint) =>
    url === null ? new URL(endpoint.url).pathname === path : endpoint.url === url,
  );
  const [endpoint] = ours;
  if (!endpoint) {
    report.differs(
      'the endpoint',
      `there is none for ${url ?? `an address that ends in ${path}`}: credits would arrive only with the buyer's return or the hourly reconciliation`,
      `Add it with snapshot payloads; endpoints with thin payloads are not listed and don't work. ${where}`,
    );
    return;
  }
  report.ok('the endpoint', endpoint.url);
  for (const each of ours) checkEndpoint({ report }, each);
}

function checkEndpoint({ report }: Pick<CheckRun, 'report'>, endpoint: Stripe.WebhookEndpoint): void {
  const { api_version: version, enabled_events: events, status } = endpoint;
  report.compare('its status', { found: status, expected: 'enabled', without: 'no event arrives' });
  // What /v1/webhook_endpoints lists has snapshot payloads.
  report.ok('its payload', `snapshot, version ${version ?? 'of the account'}; billing reads ids only`);
  const missing = events.includes('*') ? [] : subscribedEvents.filter((event) => !events.includes(event));
  if (missing.length === 0) report.ok('its events', `all ${subscribedEvents.length} that billing acts on`);
  else {
    report.differs(
      'its events',
      `${missing.join(', ')} missing: their changes are found only by the hourly reconciliation`,
      `Add them to the endpoint. ${where}`,
    );
  }
}
