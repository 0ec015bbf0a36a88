import { ServiceError } from '@app/contracts';
import { counter } from '@app/platform';
import { Logger } from '@nestjs/common';
import { isForbidden, ProviderFailure, UnknownToProvider } from './stripe-client.js';

const kinds = ['refunds', 'disputes'] as const;
type Kind = (typeof kinds)[number];

const unread = counter(
  'payment_returns_unread_total',
  'Questions about a paid order whose refunds or disputes could not be read: it is granted, and asked about again.',
  { kind: kinds, reason: ['permission', 'failure'] },
);

/** `null` when Stripe does not give them: counted, and logged as an error, as `ask` does when Stripe refuses. */
export async function ifReadable<Result>(kind: Kind, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    const isNoAnswer = error instanceof ServiceError && error.code === 'unavailable';
    if (!isNoAnswer && !(error instanceof UnknownToProvider)) throw error;
    unread.inc({ kind, reason: isForbidden(error) ? 'permission' : 'failure' });
    if (!(error instanceof ProviderFailure && error.failure === 'refused')) {
      const message = `The ${kind} of a payment can not be read; they are asked for again.`;
      new Logger('Stripe').error(new Error(message, { cause: error }));
    }
    return null;
  }
}
