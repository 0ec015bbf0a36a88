import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { type CliRun, runCommand } from '../cli.fixture.js';

const webhookUrl = 'https://site.example/webhooks/stripe';
const environment = { SITE_URL: 'https://site.example', STRIPE_INVOICES: 'on', STRIPE_AUTOMATIC_TAX: 'on' };
let standIn: StripeStandIn;

beforeEach(async () => {
  standIn = await startStripeStandIn('rk_test_51StandIn');
  standIn.webhooks.endpoint = { url: webhookUrl, secret: 'whsec_1' };
  standIn.webhooks.mode = 'drop';
});
afterEach(() => standIn.stop());

function check(changes: Readonly<Record<string, string>> = {}): Promise<CliRun> {
  const ofShop = { STRIPE_SECRET_KEY: standIn.secretKey, STRIPE_API_URL: standIn.url };
  return runCommand(['payments', 'check'], { environment: { ...ofShop, ...environment, ...changes } });
}

it('an account as billing expects has no problem, and the session is closed unpaid', async () => {
  const { code, stdout } = await check();
  expect([code, stdout.match(/ ok$/gm)?.length]).toEqual([0, 12]);
  expect([...standIn.records.sessions.values()].map(({ status }) => status)).toEqual(['expired']);
  expect(standIn.records.refunds.size).toBe(0);
});

it.each([
  [{ charges: 'read' }, 'create a refund', 'Charges: Write'],
  [{ invoices: 'none' }, 'read an invoice', 'Invoices: Read'],
  [{ customers: 'read' }, 'create a customer', 'Customers: Write'],
  [{ checkout_sessions: 'read' }, 'create a session', 'Checkout Sessions: Write'],
] as const)('a key with %j lacks a right, which is named with what follows', async (allowed, what, right) => {
  standIn.permissions.restrict(allowed);
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^${what} +the key needs "${right}": .+`, 'm'));
});

it('a webhook endpoint that is missing, or misses events, is a problem; one that may not be read is none', async () => {
  standIn.records.shop.enabledEvents = ['checkout.session.completed', 'refund.created'];
  expect((await check()).stdout).toMatch(/^its events +add checkout\.session\.async_payment_succeeded, /m);
  standIn.webhooks.endpoint = { url: 'https://other.example/webhooks/stripe', secret: 'whsec_1' };
  expect((await check()).stdout).toContain(`none for ${webhookUrl}`);
  standIn.permissions.restrict({ webhooks: 'none' });
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('not checked') as string });
});

it.each([
  [{ STRIPE_SECRET_KEY: 'sk_live_1' }, 'must be a key of a sandbox'],
  [{ STRIPE_SECRET_KEY: '' }, 'must be a key of a sandbox'],
  [{ STRIPE_SECRET_KEY: 'rk_test_other' }, 'The call to Stripe failed'],
])('with %j nothing is checked', async (changes, why) => {
  const { code, stdout, stderr } = await check(changes);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(why)]);
});
