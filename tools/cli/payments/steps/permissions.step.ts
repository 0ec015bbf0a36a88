import { subscribedEvents } from '#checkout';
import { type CheckRun } from '../check-run.js';
import { createSession, readSession } from '../purchase.js';
import { type Answer } from '../stripe-account.js';

/** One request that billing makes, and what follows when the key may not make it. */
interface Use {
  readonly what: string;
  readonly without: string;
  readonly call: () => Promise<Answer<object>>;
}

/** Exists in no account: a key with the right gets "not found". */
const noPayment = 'pi_of_no_payment';

/** Makes each request that billing makes, and says which right of a restricted key is missing. */
export async function checkPermissions(run: CheckRun): Promise<void> {
  const { account, report } = run;
  const created = await createSession(run, 'session.created');
  reportUse(run, { what: 'create a session', without: 'nothing can be bought' }, created);
  for (const { call, ...use } of uses(run)) reportUse(run, use, await call());
  if (created.kind !== 'object') return;
  const { id } = created.object;
  const use = { what: 'read a session and its payment', without: 'no order would ever be granted' };
  reportUse(run, use, await readSession(run, 'session.read', id));
  const expired = await account.callStripe('session.expired', () => account.api.checkout.sessions.expire(id));
  if (expired.kind === 'object') {
    const state = `${expired.object.status} and ${expired.object.payment_status}`;
    report.compare('a session that ends unpaid', {
      found: state,
      expected: 'expired and unpaid',
      without: 'billing would not notice unpaid orders',
    });
  }
}

function uses(run: CheckRun): Use[] {
  const { account, options } = run;
  const { api } = account;
  return [
    ...(options.invoices ? usesOfInvoices(run) : []),
    {
      what: 'find the session of a payment',
      without: 'refunds and disputes would be found only by the reconciliation',
      call: () =>
        account.callStripe('sessions', () => api.checkout.sessions.list({ payment_intent: noPayment })),
    },
    {
      what: 'read a charge',
      without: 'paid orders could not be read, so none would be granted',
      call: () => account.callStripe('charge', () => api.charges.retrieve('ch_of_no_payment')),
    },
    {
      what: 'list refunds',
      without: 'refunds would take no credits back',
      call: () => account.callStripe('refunds', () => api.refunds.list({ limit: 1 })),
    },
    {
      what: 'list disputes',
      without: 'refunds by banks (disputes) would take no credits back',
      call: () => account.callStripe('disputes', () => api.disputes.list({ limit: 1 })),
    },
    {
      what: 'list events',
      without: 'what no webhook reports would not be found',
      call: () =>
        account.callStripe('events', () => api.events.list({ types: [...subscribedEvents], limit: 1 })),
    },
    {
      what: 'create a refund',
      without: 'refunds would be possible only in the Dashboard, not with `orders refund`',
      call: () => account.callStripe('refund', () => api.refunds.create({ payment_intent: noPayment })),
    },
  ];
}

function usesOfInvoices({ account, customer }: CheckRun): Use[] {
  const { api } = account;
  return [
    {
      what: 'read an invoice',
      without: 'no invoice would be shown',
      call: () => account.callStripe('invoice', () => api.invoices.retrieve('in_of_no_payment')),
    },
    {
      what: 'open the customer portal',
      without: 'customers could not change what their invoices say',
      call: () =>
        account.callStripe('portal', () =>
          api.billingPortal.sessions.create({ customer: customer ?? 'cus_of_no_account' }),
        ),
    },
  ];
}

function reportUse({ report }: CheckRun, { what, without }: Omit<Use, 'call'>, answer: Answer<object>): void {
  if (answer.kind === 'denied') {
    const advice = `Give the key the right "${answer.right}" in the Dashboard (Developers > API keys).`;
    report.differs(what, `your key lacks this right: ${without}`, advice);
  } else if (answer.kind === 'refused' && answer.code !== 'resource_missing') {
    report.differs(what, `Stripe refuses it (${answer.message}): ${without}`);
  } else {
    report.ok(what);
  }
}
