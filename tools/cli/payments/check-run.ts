import { setTimeout as delay } from 'node:timers/promises';
import type Stripe from 'stripe';
import { type CheckOptions } from './check-options.js';
import { type Report } from './report.js';
import { type StripeAccount } from './stripe-account.js';

/** A session that is paid, read as billing reads it: with its payment intent and charge. */
export interface PaidSession {
  readonly session: Stripe.Checkout.Session;
  readonly orderId: string;
}

/** What the steps of a check share. */
export interface CheckRun {
  readonly account: StripeAccount;
  readonly options: CheckOptions;
  readonly report: Report;
  /** How long a person, or Stripe, may take for one thing, ms. */
  readonly timeoutMs: number;
  /** What was bought in this run: later steps refund it, instead of asking for another payment. */
  bought: PaidSession | null;
  /** The customer of this run, for invoices; `null`: none was needed so far. */
  customer: string | null;
}

/** Stripe itself is asked every few seconds only. */
const pauseMs = 3_000;
const standInPauseMs = 50;

/** Asks again and again until there is something. `null`: the time is over. */
export async function waitFor<Found>(
  { options, timeoutMs }: Pick<CheckRun, 'options' | 'timeoutMs'>,
  poll: () => Promise<Found | null>,
): Promise<Found | null> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await poll();
    if (found !== null || Date.now() >= end) return found;
    await delay(options.apiUrl === '' ? pauseMs : standInPauseMs);
  }
}
