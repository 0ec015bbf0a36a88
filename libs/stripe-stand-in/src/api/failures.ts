import { StandInError } from '../books/stand-in-error.js';
import { type Operation } from './routes.js';

/** A failure that is to happen. */
export interface Failure {
  /** An answer with this status, no answer, or a connection that breaks. */
  readonly kind: '500' | '429' | '409' | '401' | 'time out' | 'break';
  /**
   * Whether the work of the request is done all the same. Default: `before`. A 500 is the outcome of work that was
   * begun, so it is stored under an Idempotency-Key either way; 429, 409 and 401 are answered before any work.
   */
  readonly when?: 'before' | 'after';
  /** Default: all. */
  readonly operation?: Operation;
  /** How many requests fail. Default: all, until `clear`. */
  readonly times?: number;
}

/** Thrown for a request that gets no answer: its connection is broken. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
}

/** Failures on demand, in the order in which they were asked for. */
export class Failures {
  private planned: { readonly failure: Failure; left: number }[] = [];

  add(failure: Failure): void {
    this.planned.push({ failure, left: failure.times ?? Infinity });
  }

  /** From now on everything works. */
  clear(): void {
    this.planned = [];
  }

  /** The failure that is next for such a request, which has not happened yet. */
  next(operation: Operation): Failure | undefined {
    return this.planned.find(({ failure }) => (failure.operation ?? operation) === operation)?.failure;
  }

  /** It happens now. */
  spend(failure: Failure): void {
    for (const one of this.planned) if (one.failure === failure) one.left -= 1;
    this.planned = this.planned.filter(({ left }) => left > 0);
  }
}

/** An error as Stripe answers it with this status. */
export function failureOf(kind: Exclude<Failure['kind'], 'time out' | 'break'>): StandInError {
  switch (kind) {
    case '500':
      return new StandInError(500, 'An unknown error occurred.', { type: 'api_error' });
    case '429':
      return new StandInError(429, 'Request rate limit exceeded.', { code: 'rate_limit' });
    case '401':
      return new StandInError(401, 'Invalid API Key provided.');
    case '409':
      return new StandInError(
        409,
        'There is currently another in-progress request using this Idempotent Key.',
        { type: 'idempotency_error', code: 'idempotency_key_in_use' },
      );
  }
}
