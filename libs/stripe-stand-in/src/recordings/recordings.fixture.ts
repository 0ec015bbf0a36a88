import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { anOrder, libraryFor } from '../stand-in.fixture.js';
import { startStripeStandIn } from '../stand-in.js';
import { type Recording } from './compare-recordings.js';

/** Objects of the stand-in in every state that it has, as Stripe's library gets them. */
export async function recordStandIn(): Promise<Recording[]> {
  const standIn = await startStripeStandIn({ taxPercent: 19 });
  const { payments, returns } = standIn;
  const stripe = libraryFor(standIn);
  const recordings: Recording[] = [];
  const record = <Answer extends object>(name: string, object: Answer): Answer => {
    recordings.push({ name, object: JSON.parse(JSON.stringify(object)) as unknown });
    return object;
  };
  const expand = ['payment_intent.latest_charge.balance_transaction'];
  const create = async (name: string, change: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
    const { id } = record(`${name}-open`, await stripe.checkout.sessions.create({ ...anOrder, ...change }));
    return id;
  };
  const look = async (name: string, id: string): Promise<string> => {
    const { payment_intent } = record(name, await stripe.checkout.sessions.retrieve(id, { expand }));
    return typeof payment_intent === 'object' ? (payment_intent?.id ?? '') : payment_intent;
  };
  const pay = async (name: string): Promise<string> => {
    const id = await create(name);
    payments.pay(id, 'card');
    return look(`${name}-paid`, id);
  };
  try {
    const paid = await pay('session');
    record('refund', await stripe.refunds.create({ payment_intent: paid, amount: 900 }));
    returns.warnOfFraud(paid);
    const dispute = returns.dispute(paid);
    record('dispute', await stripe.disputes.retrieve(dispute.id));
    returns.closeDispute(dispute.id, 'won');
    record('disputes', await stripe.disputes.list({ payment_intent: paid }));
    returns.failRefund(returns.refund(await pay('session-refunded')).id);
    record('refunds', await stripe.refunds.list());
    const declined = await create('session-declined');
    payments.pay(declined, 'declined card');
    await look('session-declined', declined);
    const delayed = await create('session-delayed');
    payments.pay(delayed, 'delayed');
    await look('session-delayed', delayed);
    const taxed = await create('session-tax', {
      automatic_tax: { enabled: true },
      allow_promotion_codes: true,
    });
    payments.pay(taxed, 'card');
    await look('session-tax', taxed);
    const free = await create('session-free', { customer_email: 'buyer@shop.example' });
    payments.pay(free, 'card', { discountPercent: 100 });
    await look('session-free', free);
    record('session-expired', await stripe.checkout.sessions.expire(await create('session-expiring')));
    record('events', await stripe.events.list({ limit: 100 }));
  } finally {
    await standIn.stop();
  }
  return recordings;
}

/** A directory with these recordings, while `work` runs. */
export async function inDirectory(
  recordings: readonly Recording[],
  work: (directory: string) => Promise<void> | void,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'recordings-'));
  try {
    for (const { name, object } of recordings) {
      writeFileSync(join(directory, `${name}.json`), JSON.stringify(object));
    }
    await work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
