import { isRecord, ServiceError } from '@app/contracts';
import { counter } from '@app/platform';
import { Logger } from '@nestjs/common';
import { UnknownToProvider } from './stripe-client.js';

const kinds = ['refunds', 'disputes'] as const;
type Kind = (typeof kinds)[number];

/** What a restricted key needs, in the words of Stripe's Dashboard. */
const permissions: Readonly<Record<Kind, string>> = {
  refunds: 'Charges: Read',
  disputes: 'Disputes: Read',
};

const unread = counter(
  'payment_returns_unread_total',
  'Questions about a paid order whose refunds or disputes could not be read: it is granted, and asked about again.',
  { kind: kinds, reason: ['permission', 'failure'] },
);

/** `null` when Stripe does not give them: logged as an error, and counted. */
export async function ifReadable<Result>(kind: Kind, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    const isNoAnswer = error instanceof ServiceError && error.code === 'unavailable';
    if (!isNoAnswer && !(error instanceof UnknownToProvider)) throw error;
    const why = isForbidden(error)
      ? `: the key of STRIPE_SECRET_KEY needs the permission ${permissions[kind]}`
      : '';
    unread.inc({ kind, reason: isForbidden(error) ? 'permission' : 'failure' });
    new Logger('Stripe').error(
      new Error(`The ${kind} of a payment can not be read${why}.`, { cause: error }),
    );
    return null;
  }
}

/** Whether a request failed because a restricted key lacks a permission. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Error && isRecord(error.cause) && error.cause.type === 'StripePermissionError';
}
