import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { checkAccount, findingsOf, type Payer } from './check.fixture.js';

const webhookUrl = 'https://site.example/webhooks/stripe';
const site = { PUBLIC_URL: 'https://site.example' };
let standIn: StripeStandIn;

beforeEach(async () => {
  standIn = await startStripeStandIn({ secretKey: 'rk_test_51StandIn' });
  standIn.webhooks.endpoint = { url: webhookUrl, secret: 'whsec_1' };
  standIn.webhooks.mode = 'drop';
});
afterEach(() => standIn.stop());

/** Pays as the check instructs. */
const honest: Payer = (sessionId, how) => {
  const isDelayed = how.includes('bank account');
  const { payment_intent: intent } = standIn.payments.pay(sessionId, isDelayed ? 'delayed' : 'card');
  if (isDelayed) setTimeout(() => standIn.payments.settle(sessionId, 'succeeded'), 200);
  if (how.includes('0259') && intent !== null) standIn.returns.dispute(intent);
};

describe('an account that is as billing expects', () => {
  it('passes each step, buys no more than each needs, and says what cannot be read', async () => {
    const run = await checkAccount(standIn, ['--delayed', '--json'], { environment: site, payer: honest });
    const states = [...standIn.records.sessions.values()].map(({ status }) => status);
    expect(states).not.toContain('open');
    // One is paid by card and half of it refunded, one disputed, one paid by a bank that takes days.
    expect(states.filter((state) => state === 'complete')).toHaveLength(3);
    expect([...standIn.records.refunds.values()].map(({ amount }) => amount)).toEqual([950]);
    expect(run.code).toBe(0);
    const findings = findingsOf(run);
    const others = [...findings].filter(([, found]) => !found.startsWith('ok')).map(([what]) => what);
    expect(others).toEqual(['account: receipts by mail']);
    expect(findings.get('account: of them, delayed')).toContain('us_bank_account');
    expect(findings.get('buy: its event')).toContain('checkout.session.completed');
    expect(Object.fromEntries(findings)).toMatchObject({
      'permissions: create a refund': 'ok: ',
      'permissions: a session that ends unpaid': 'ok: expired and unpaid',
      'account: country': 'ok: US',
      'webhook: the endpoint': `ok: ${webhookUrl}`,
      'buy: amount_subtotal': 'ok: 1900',
      'buy: amount_total': 'ok: 1900',
      'refund: refunds of the payment, cents': 'ok: 950',
      'refund: credits that billing takes back': 'ok: 25 of 50',
      'dispute: its amount, cents': 'ok: 1900',
      'delayed: payment_status until then': 'ok: unpaid',
      'delayed: payment_status after the money arrived': 'ok: paid',
    });
  });

  it('is reported in words, step by step', async () => {
    const { stdout } = await checkAccount(standIn, ['--only', 'refund'], { payer: honest });
    expect(stdout).toContain('A refund of half the payment\n');
    expect(stdout).toContain('  ok            a refund: $9.50 of $19.00, succeeded\n');
    expect(stdout).toContain('The account behaves as billing expects.');
    expect(stdout).not.toContain('The webhook endpoint');
  });
});

describe('a key without a right', () => {
  it('for disputes: says what would follow, and which right to give', async () => {
    standIn.permissions.restrict({ disputes: 'none' });
    const { code, stdout, stderr } = await checkAccount(standIn, ['--only', 'permissions']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'differs       list disputes: your key lacks this right: refunds by banks (disputes) would take no credits back',
    );
    expect(stdout).toContain('Give the key the right "Disputes: Read" in the Dashboard');
    expect(stdout).toContain('Differences:');
    expect(stderr).toBe('Error: 1 of 9 findings differ.\n');
  });

  it.each([
    [{ charges: 'read' }, ['create a refund'], 'Charges: Write'],
    [
      { charges: 'none' },
      ['read a charge', 'list refunds', 'create a refund', 'read a session and its payment'],
      'Charges: Read',
    ],
    [{ payment_intents: 'none' }, ['read a session and its payment'], 'PaymentIntents: Read'],
    [{ events: 'none' }, ['list events'], 'Events: Read'],
    [{ checkout_sessions: 'read' }, ['create a session'], 'Checkout Sessions: Write'],
  ] as const)('%j: %j', async (rights, missing, right) => {
    standIn.permissions.restrict(rights);
    const run = await checkAccount(standIn, ['--only', 'permissions', '--json']);
    const differing = [...findingsOf(run)].filter(([, found]) => found.startsWith('differs'));
    expect(differing.map(([what]) => what)).toEqual(missing.map((what) => `permissions: ${what}`));
    expect(run.stderr).toContain(right);
  });

  it('for what billing does not need: that it could not be read, and nothing differs', async () => {
    standIn.permissions.restrict({
      accounts: 'none',
      webhooks: 'none',
      payment_method_configurations: 'none',
    });
    const run = await checkAccount(standIn, ['--only', 'account', '--json']);
    expect(run.code).toBe(0);
    const facts = findingsOf(run);
    expect(facts.get('account: the account')).toContain('could not be read: your key may not read it');
    expect(facts.get('account: payment methods')).toContain('card, us_bank_account');
    const endpoint = findingsOf(await checkAccount(standIn, ['--only', 'webhook', '--json']));
    expect(endpoint.get('webhook: the endpoint')).toContain('"Webhook Endpoints: Read"');
  });

  it('for disputes has nobody pay for one', async () => {
    standIn.permissions.restrict({ disputes: 'none' });
    const run = await checkAccount(standIn, ['--only', 'dispute', '--json'], { payer: honest });
    expect(findingsOf(run).get('dispute: disputes')).toContain('differs: your key may not list them');
    expect(standIn.records.sessions.size).toBe(0);
  });
});

describe('tax', () => {
  const environment = { ...site, STRIPE_AUTOMATIC_TAX: 'on' };

  it('comes on top of the price, and a refund takes credits by its share of what was paid', async () => {
    standIn.payments.taxPercent = 19;
    const run = await checkAccount(standIn, ['--json'], { environment, payer: honest });
    expect(run.code).toBe(0);
    expect(Object.fromEntries(findingsOf(run))).toMatchObject({
      'account: settings of Stripe Tax': 'ok: active',
      'buy: amount_subtotal': 'ok: 1900',
      'buy: amount_total': 'ok: 2261',
      'tax: tax': 'ok: 361 cents on top of the price',
      'refund: refunds of the payment, cents': 'ok: 1130',
      'refund: credits that billing takes back': 'ok: 24 of 50',
    });
  });

  it('that is not set up in the Dashboard is found', async () => {
    standIn.records.shop.taxStatus = 'pending';
    standIn.records.shop.taxCode = null;
    const run = await checkAccount(standIn, ['--only', 'account', '--json'], { environment });
    expect(run.code).toBe(1);
    const findings = findingsOf(run);
    expect(findings.get('account: settings of Stripe Tax')).toContain(
      'differs: pending (missing: head_office)',
    );
    expect(findings.get('account: default tax code')).toContain('differs: none');
  });

  it('of 0 is no proof, and without the variable there is none', async () => {
    const none = await checkAccount(standIn, ['--only', 'tax', '--json'], { environment, payer: honest });
    expect(findingsOf(none).get('tax: tax')).toContain('not possible: 0 cents were added');
    const off = await checkAccount(standIn, ['--only', 'tax', '--json'], { payer: honest });
    expect(findingsOf(off).get('tax: tax')).toContain('STRIPE_AUTOMATIC_TAX is off');
  });
});

describe('a promotion code', () => {
  const environment = { ...site, STRIPE_PROMOTION_CODES: 'on' };

  it('lowers what is paid, not the price that is compared', async () => {
    const payer: Payer = (id) => void standIn.payments.pay(id, 'card', { discountPercent: 20 });
    const run = await checkAccount(standIn, ['--only', 'buy', '--json'], { environment, payer });
    expect(run.code).toBe(0);
    expect(Object.fromEntries(findingsOf(run))).toMatchObject({
      'buy: amount_subtotal': 'ok: 1900',
      'buy: total_details': 'ok: discount 380, tax 0, total 1520',
      'buy: amount_total': 'ok: 1520',
    });
  });

  it('that covers everything leaves nothing to refund', async () => {
    const payer: Payer = (id) => void standIn.payments.pay(id, 'card', { discountPercent: 100 });
    const bought = await checkAccount(standIn, ['--only', 'buy', '--json'], { environment, payer });
    expect(bought.code).toBe(0);
    expect(findingsOf(bought).get('buy: payment_status')).toContain('no_payment_required');
    const refund = await checkAccount(standIn, ['--only', 'refund', '--json'], { environment, payer });
    expect(findingsOf(refund).get('refund: a refund')).toContain('no payment to refund');
  });
});

describe('a webhook endpoint', () => {
  const endpoint = async (): Promise<Map<string, string>> =>
    findingsOf(await checkAccount(standIn, ['--only', 'webhook', '--json'], { environment: site }));

  it('with a list of events that lacks some', async () => {
    standIn.records.shop.enabledEvents = [
      'checkout.session.completed',
      'charge.refunded',
      'customer.created',
    ];
    const found = (await endpoint()).get('webhook: its events') ?? '';
    expect(found).toMatch(/^differs: .*charge\.dispute\.created/);
    expect(found).not.toContain('checkout.session.completed');
  });

  it('of another address, or none', async () => {
    standIn.webhooks.endpoint = { url: 'https://other.example/webhooks/stripe', secret: 'whsec_1' };
    expect((await endpoint()).get('webhook: the endpoint')).toContain(
      `differs: there is none for ${webhookUrl}`,
    );
  });
});

describe('an account that behaves differently', () => {
  it('in another currency, and not active', async () => {
    Object.assign(standIn.records.shop, { currency: 'eur', country: 'DE', chargesEnabled: false });
    const findings = findingsOf(await checkAccount(standIn, ['--only', 'account', '--json']));
    expect(findings.get('account: currency')).toContain('a dispute that comes in eur');
    expect(findings.get('account: charges')).toContain('live payments are impossible');
  });

  it('with disputes in the currency of the account', async () => {
    const payer: Payer = (id, how) => {
      honest(id, how);
      for (const dispute of standIn.records.disputes.values()) dispute.currency = 'eur';
    };
    const run = await checkAccount(standIn, ['--only', 'dispute', '--json'], { payer });
    expect(findingsOf(run).get('dispute: its currency')).toContain('counts the whole payment as withdrawn');
  });

  it('with disputes that take no money', async () => {
    const payer: Payer = (id) => {
      const { payment_intent: intent } = standIn.payments.pay(id, 'card');
      standIn.returns.dispute(intent ?? '', { isInquiry: true });
    };
    const words = ['--only', 'dispute', '--timeout', '1', '--json'];
    const run = await checkAccount(standIn, words, { payer });
    expect(findingsOf(run).get('dispute: its money')).toContain('differs: no balance transaction');
  });

  it('with another price than was asked for', async () => {
    const payer: Payer = (id, how) => {
      standIn.records.session(id).amount_subtotal = 1_800;
      honest(id, how);
    };
    const run = await checkAccount(standIn, ['--only', 'buy', '--json'], { payer });
    expect(run.code).toBe(1);
    expect(findingsOf(run).get('buy: amount_subtotal')).toContain('1800, not 1900');
  });
});

it('a session that nobody pays is closed when the time is over', async () => {
  const run = await checkAccount(standIn, ['--only', 'buy', '--timeout', '1', '--json']);
  expect(run.code).toBe(0);
  expect(findingsOf(run).get('buy: the payment')).toContain('not possible: no payment in time');
  expect([...standIn.records.sessions.values()].map(({ status }) => status)).toEqual(['expired']);
});

describe('the key', () => {
  it.each([
    ['for real money', { STRIPE_SECRET_KEY: 'sk_live_51Real' }, 'is a live key'],
    ['for real money, restricted', { STRIPE_SECRET_KEY: 'rk_live_51Real' }, 'is a live key'],
    ['of a browser', { STRIPE_SECRET_KEY: 'pk_test_51Public' }, 'must start with sk_test_ or rk_test_'],
    ['that is missing', { STRIPE_SECRET_KEY: '' }, 'Set STRIPE_SECRET_KEY'],
    [
      'that Stripe does not know',
      { STRIPE_SECRET_KEY: 'sk_test_51Unknown1' },
      'Stripe does not accept STRIPE_SECRET_KEY',
    ],
  ])('%s is refused, and not printed', async (_what, environment, problem) => {
    const run = await checkAccount(standIn, [], { environment });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(problem);
    expect(run.stdout + run.stderr).not.toMatch(/51(Real|Public|Unknown)/);
    expect(standIn.records.sessions.size).toBe(0);
  });

  it('may be in a file, and is in no line and no record', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'check-'));
    try {
      standIn.permissions.restrict({ disputes: 'none' });
      const run = await checkAccount(standIn, ['--record', directory], { environment: site, payer: honest });
      const records = readdirSync(directory);
      expect(records).toEqual(
        expect.arrayContaining([
          'account.json',
          'disputes.refused.json',
          'refunds.of-payment.json',
          'session.paid.json',
          'webhook-endpoints.json',
        ]),
      );
      const all = records.map((name) => readFileSync(join(directory, name), 'utf8')).join('');
      expect(run.stdout + run.stderr + all).not.toContain(standIn.secretKey);
      const paid = JSON.parse(readFileSync(join(directory, 'session.paid.json'), 'utf8')) as object;
      expect(paid).toMatchObject({
        object: 'checkout.session',
        payment_intent: { latest_charge: { receipt_url: 'https://blanked.example/' } },
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

it('a failure of Stripe is not reported as one of the account', async () => {
  standIn.failures.add({ kind: '500', when: 'before', operation: 'list_disputes' });
  const run = await checkAccount(standIn, ['--only', 'permissions', '--json']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('Error: Stripe is unavailable');
  expect(run.stderr).not.toContain('differs');
});

it('a variable that billing would refuse is refused', async () => {
  const run = await checkAccount(standIn, [], { environment: { STRIPE_AUTOMATIC_TAX: 'ON' } });
  expect(run.stderr).toBe('Error: STRIPE_AUTOMATIC_TAX must be on or off.\n');
});

it('says so when Stripe cannot be reached', async () => {
  const environment = { STRIPE_API_URL: 'http://127.0.0.1:1' };
  const { code, stderr } = await checkAccount(standIn, [], { environment });
  expect(code).toBe(1);
  expect(stderr).toContain("Error: Stripe can't be reached");
});
