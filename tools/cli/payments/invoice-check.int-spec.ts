import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { checkAccount, findingsOf, type Payer } from './check.fixture.js';

let standIn: StripeStandIn;

beforeEach(async () => {
  standIn = await startStripeStandIn({ secretKey: 'rk_test_51StandIn' });
  standIn.webhooks.endpoint = { url: 'https://site.example/webhooks/stripe', secret: 'whsec_1' };
  standIn.webhooks.mode = 'drop';
});
afterEach(() => standIn.stop());

/** Pays as the check instructs. */
const honest: Payer = (sessionId, how) => {
  const { payment_intent: intent } = standIn.payments.pay(sessionId, 'card');
  if (how.includes('0259') && intent !== null) standIn.returns.dispute(intent);
};

describe('an invoice', () => {
  const environment = { PUBLIC_URL: 'https://site.example', STRIPE_INVOICES: 'on' };

  it('is made for the payment, and customers can change what the next one says', async () => {
    const run = await checkAccount(standIn, ['--json'], { environment, payer: honest });
    expect(run.code).toBe(0);
    expect(Object.fromEntries(findingsOf(run))).toMatchObject({
      'permissions: read an invoice': 'ok: ',
      'permissions: open the customer portal': 'ok: ',
      'invoice: the customer portal': 'ok: customers can change name, email, address, tax_id',
      'invoice: its number': expect.stringMatching(/^ok: STANDIN-/) as unknown,
      'invoice: its status': 'ok: paid',
      'invoice: its total': 'ok: 1900',
      'invoice: hosted_invoice_url': 'ok: a page of Stripe',
      'invoice: invoice_pdf': 'ok: a page of Stripe',
    });
    expect(standIn.records.customers.size).toBe(1);
  });

  it('that customers cannot change, because of the settings of the portal', async () => {
    const step = ['--only', 'invoice', '--timeout', '1', '--json'];
    const portal = async (): Promise<string | undefined> =>
      findingsOf(await checkAccount(standIn, step, { environment })).get('invoice: the customer portal');
    standIn.records.shop.portalUpdates = ['email', 'address'];
    expect(await portal()).toContain("differs: customers can't change name, tax_id");
    standIn.records.shop.hasPortal = false;
    expect(await portal()).toContain('differs: its settings were never saved');
    const rights = await checkAccount(standIn, ['--only', 'permissions', '--json'], { environment });
    expect(findingsOf(rights).get('permissions: open the customer portal')).toContain('Stripe refuses it');
  });

  it.each([
    [{ customers: 'read' }, 'create a session', 'Customers: Write'],
    [{ invoices: 'none' }, 'read an invoice', 'Invoices: Read'],
    [{ customer_portals: 'read' }, 'open the customer portal', 'Customer portal: Write'],
  ] as const)('with %j: %s is not possible', async (rights, missing, right) => {
    standIn.permissions.restrict(rights);
    const run = await checkAccount(standIn, ['--only', 'permissions', '--json'], { environment });
    expect(findingsOf(run).get(`permissions: ${missing}`)).toContain('differs: your key lacks this right');
    expect(run.stderr).toContain(right);
  });

  it('is none without the variable, and needs no right', async () => {
    standIn.permissions.restrict({ customers: 'none', invoices: 'none', customer_portals: 'none' });
    expect((await checkAccount(standIn, ['--only', 'permissions', '--json'])).code).toBe(0);
    const off = await checkAccount(standIn, ['--only', 'invoice', '--json']);
    expect(findingsOf(off).get('invoice: invoices')).toContain('STRIPE_INVOICES is off');
  });
});
