import { RefusedRequest, StandInError } from '../books/stand-in-error.js';
import { type Operation, type Resource } from './routes.js';

/** A failure that is to happen. */
export interface Failure {
  /** An answer with this status, or a connection that breaks. */
  readonly kind: '500' | '429' | '409' | '401' | 'break';
  /**
   * Whether the work of the request is done all the same. Default: `before`. A 500 is the outcome of work that was
   * begun, so it is stored under an Idempotency-Key either way; 429, 409 and 401 are answered before any work.
   */
  readonly when?: 'before' | 'after';
  /** The operation that fails. Default: all. */
  readonly operation?: Operation;
  /** How many requests fail. Default: all, until `clear`. */
  readonly times?: number;
}

/** Failures on demand, in the order in which they were added. */
export class Failures {
  private planned: { readonly failure: Failure; left: number }[] = [];

  add(failure: Failure): void {
    this.planned.push({ failure, left: failure.times ?? Infinity });
  }

  /** Ends all failures. */
  clear(): void {
    this.planned = [];
  }

  /** The next failure of such a request; it is not counted yet. */
  next(operation: Operation): Failure | undefined {
    return this.planned.find(({ failure }) => (failure.operation ?? operation) === operation)?.failure;
  }

  /** Counts a failure that happens now. */
  consume(failure: Failure): void {
    for (const one of this.planned) if (one.failure === failure) one.left -= 1;
    this.planned = this.planned.filter(({ left }) => left > 0);
  }
}

const answers = {
  '500': ['An unknown error occurred.', { type: 'api_error' }],
  '429': ['Request rate limit exceeded.', { code: 'rate_limit' }],
  '409': [
    'There is currently another in-progress request using this Idempotent Key.',
    { type: 'idempotency_error', code: 'idempotency_key_in_use' },
  ],
  '401': ['Invalid API Key provided.', {}],
} as const;

/** An error as Stripe answers it with this status. */
export function failureOf(kind: keyof typeof answers): StandInError {
  const [message, fields] = answers[kind];
  return new StandInError(Number(kind), message, fields);
}

/** Writing includes reading. */
type Access = 'none' | 'read' | 'write';

/** What the key may do. */
export class Permissions {
  private allowed: Partial<Record<Resource, Access>> = {};

  constructor(private readonly key: string) {}

  /** Sets what the key may do with these resources; it may do everything with all others. */
  restrict(allowed: Partial<Record<Resource, Access>>): void {
    this.allowed = allowed;
  }

  /** Throws when the key may not do this. */
  check(resource: Resource, wanted: 'read' | 'write'): void {
    const access = this.allowed[resource] ?? 'write';
    if (access === 'write' || access === wanted) return;
    const hidden = `${this.key.slice(0, 8)}${'*'.repeat(20)}${this.key.slice(-4)}`;
    throw new RefusedRequest(
      403,
      `The provided key '${hidden}' does not have the required permissions for this endpoint on account ` +
        `'acct_standin'. Having the 'rak_${resource.slice(0, -1)}_${wanted}' permission would allow this request ` +
        'to continue.',
    );
  }
}
