import { isRecord, ServiceError } from '@app/contracts';
import { counter, histogram } from '@app/platform';
import { Logger } from '@nestjs/common';
import type Stripe from 'stripe';

/** Injection token of the library of Stripe for our account; `null` when selling is off. */
export const STRIPE = Symbol('STRIPE');

/** Where Stripe is, and who asks. */
export interface StripeAccess {
  /** Empty: selling is off. */
  readonly secretKey: string;
  /** A stand-in for the API; empty: Stripe itself. */
  readonly apiUrl: string;
}

/** Two of them, one after the other, with a retry each, are within what the sender of an event waits. */
const timeoutMs = 5_000;
const retries = 1;
/** The status of a request whose Idempotency-Key is that of one under way. */
const inUse = 409;

const operations = [
  'create_session',
  'get_session',
  'list_sessions',
  'list_refunds',
  'list_disputes',
  'create_refund',
] as const;
type Operation = (typeof operations)[number];

const requests = counter('payment_provider_requests_total', 'Requests to Stripe by operation and outcome.', {
  operation: operations,
  outcome: ['answered', 'unknown', 'refused', 'unavailable'],
});
const seconds = histogram('payment_provider_request_seconds', 'Duration of requests to Stripe.', [
  'operation',
]);

/** Loads the library, which takes a moment, only where something is sold. */
export async function loadStripe({ secretKey, apiUrl }: StripeAccess): Promise<Stripe | null> {
  if (secretKey === '') return null;
  const { default: Library } = await import('stripe');
  const url = apiUrl === '' ? null : new URL(apiUrl);
  return new Library(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port,
      protocol: url.protocol === 'http:' ? 'http' : 'https',
    }),
  });
}

/** Stripe has no such object, or not with this key. */
export class UnknownToProvider extends Error {
  override readonly name = 'UnknownToProvider';
}

/**
 * Runs a request to Stripe, counts and times it. Throws `UnknownToProvider`, `conflict` when the same Idempotency-Key was
 * sent with other content, and `unavailable` for every other failure; those that waiting does not mend (a key without
 * rights, a request that Stripe refuses) are logged as errors.
 */
export async function ask<Result>(operation: Operation, request: () => Promise<Result>): Promise<Result> {
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
  if (isOfType(error, 'StripeIdempotencyError') && error.statusCode !== inUse) {
    requests.inc({ operation, outcome: 'refused' });
    return new ServiceError('conflict', 'This was asked for before with other content.', { cause: error });
  }
  const isPassing = isPassingFailure(error);
  requests.inc({ operation, outcome: isPassing ? 'unavailable' : 'refused' });
  if (!isPassing) {
    new Logger('Stripe').error(new Error(`Stripe refuses a request (${operation}).`, { cause: error }));
  }
  return new ServiceError('unavailable', 'The payment provider can not be reached; try again shortly.', {
    cause: error,
  });
}

function isMissing(error: unknown): boolean {
  return isOfType(error, 'StripeInvalidRequestError') && error.code === 'resource_missing';
}

/** No answer, too many requests, the same request twice at once, or a fault at Stripe. */
function isPassingFailure(error: unknown): boolean {
  return isOfType(
    error,
    'StripeIdempotencyError',
    'StripeConnectionError',
    'StripeRateLimitError',
    'StripeAPIError',
  );
}

/** Errors of the library say in `type` which class they are of. */
function isOfType(error: unknown, ...types: readonly string[]): error is Record<string, unknown> {
  return isRecord(error) && types.some((type) => error.type === type);
}
