import { isRecord, ServiceError } from '#contracts';
import { counter, histogram, messageOf } from '#platform';
import { Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { conflict } from '../../errors.js';
import { type SellingOptions } from './selling-options.js';

/** Injection token of the library of Stripe for our account; `null` when selling is off. */
export const STRIPE = Symbol('STRIPE');

/** What billing requests from Stripe, and the permission that a restricted key needs for it, as Stripe's Dashboard names it. */
export const permissions = {
  create_session: 'Checkout Sessions: Write',
  get_session: 'Checkout Sessions: Read, PaymentIntents: Read, Charges: Read',
  list_sessions: 'Checkout Sessions: Read',
  list_refunds: 'Charges: Read',
  list_disputes: 'Disputes: Read',
  create_refund: 'Charges: Write',
  list_events: 'Events: Read',
  create_customer: 'Customers: Write',
  get_invoice: 'Invoices: Read',
} as const;
export type Operation = keyof typeof permissions;

/** Options of Stripe's library for one request: how long the answer may take, and how often it is asked again. */
export interface RequestLimits {
  readonly timeout: number;
  readonly maxNetworkRetries: number;
}

/** For requests while a buyer waits: views and starts make several before their deadlines, and buyers repeat them. */
export const whileWaiting: RequestLimits = { timeout: 3_000, maxNetworkRetries: 0 };
const inBackground: RequestLimits = { timeout: 5_000, maxNetworkRetries: 1 };

/** The status of a request while another one with its Idempotency-Key is in progress. */
const inUse = 409;
const tooManyRequests = 429;

const requests = counter('payment_provider_requests_total', 'Requests to Stripe by operation and outcome.', {
  operation: Object.keys(permissions),
  outcome: ['answered', 'unknown', 'refused', 'unavailable'],
});
const seconds = histogram('payment_provider_request_seconds', 'Duration of requests to Stripe.', [
  'operation',
]);

/** Loads the library, which takes a moment, only where something is sold. */
export async function loadStripe({ secretKey, apiUrl }: SellingOptions): Promise<Stripe | null> {
  if (secretKey === '') return null;
  const { default: Library } = await import('stripe');
  const url = apiUrl === '' ? null : new URL(apiUrl);
  return new Library(secretKey, {
    ...inBackground,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port,
      protocol: url.protocol === 'http:' ? 'http' : 'https',
    }),
  });
}

/** The client of Stripe's library. Throws `conflict` when selling is off. */
export function openStripe(stripe: Stripe | null): Stripe {
  if (stripe) return stripe;
  throw conflict('Buying credits is not available here: no payment provider is set up.');
}

/** Stripe has no such object, or not with this key. */
export class UnknownToProvider extends Error {
  override readonly name = 'UnknownToProvider';
}

/** What the failure of a request means for the same request under the same Idempotency-Key. */
export type Failure =
  /** The request had no result: it may still succeed. */
  | 'no_result'
  /** Stripe failed, or has stored another request under the key: a new key is needed. */
  | 'stored'
  /** Stripe does not accept it, as with a key that lacks a permission. */
  | 'refused';

/** Stripe sent no response, or one without a result. */
export class ProviderFailure extends ServiceError {
  constructor(
    readonly failure: Failure,
    cause: unknown,
  ) {
    super('unavailable', 'The payment provider cannot be reached; try again shortly.', { cause });
  }
}

/** Whether a request failed because a restricted key lacks a permission. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ProviderFailure && isOfType(error.cause, 'StripePermissionError');
}

/**
 * Runs a request to Stripe, counts and times it. Throws `UnknownToProvider`, and `ProviderFailure` (`unavailable`)
 * for every other failure; permanent ones (a key without rights, a request that Stripe refuses) are logged as errors.
 */
export async function callStripe<Result>(
  operation: Operation,
  request: () => Promise<Result>,
): Promise<Result> {
  const end = seconds.startTimer({ operation });
  try {
    const result = await request();
    requests.inc({ operation, outcome: 'answered' });
    return result;
  } catch (error) {
    throw translated(operation, error);
  } finally {
    end();
  }
}

function translated(operation: Operation, error: unknown): Error {
  if (isMissing(error)) {
    requests.inc({ operation, outcome: 'unknown' });
    return new UnknownToProvider(`Stripe has no such object (${operation}).`, { cause: error });
  }
  const failure = failureOf(error);
  requests.inc({ operation, outcome: failure === 'refused' ? 'refused' : 'unavailable' });
  if (failure === 'refused') {
    new Logger('Stripe').error(new Error(reasonOfRefusal(operation, error), { cause: error }));
  }
  return new ProviderFailure(failure, error);
}

function failureOf(error: unknown): Failure {
  const status = isRecord(error) && typeof error.statusCode === 'number' ? error.statusCode : null;
  if (status === null) return isOfType(error, 'StripeConnectionError') ? 'no_result' : 'refused';
  if (status === inUse || status === tooManyRequests) return 'no_result';
  return status >= 500 || isOfType(error, 'StripeIdempotencyError') ? 'stored' : 'refused';
}

/** Why Stripe refuses a request, for operators: the permission that is missing, or its own words. */
export function reasonOfRefusal(operation: Operation, error: unknown): string {
  const refuses = `Stripe refuses a request (${operation})`;
  if (isOfType(error, 'StripeAuthenticationError')) return `${refuses}: it does not know STRIPE_SECRET_KEY.`;
  if (!isOfType(error, 'StripePermissionError')) return `${refuses}: ${messageOf(error)}`;
  return `${refuses}: the key of STRIPE_SECRET_KEY has to be allowed ${permissions[operation]} (docs/selling.md).`;
}

function isMissing(error: unknown): boolean {
  return isOfType(error, 'StripeInvalidRequestError') && error.code === 'resource_missing';
}

/** Errors of the library name their class in `type`. */
function isOfType(error: unknown, type: string): error is Record<string, unknown> {
  return isRecord(error) && error.type === type;
}
