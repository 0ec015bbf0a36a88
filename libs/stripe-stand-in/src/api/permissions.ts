import { RefusedRequest } from '../books/stand-in-error.js';

/** What a restricted key can be allowed to use. Refunds are read and written with charges. */
export type Resource =
  | 'checkout_sessions'
  | 'payment_intents'
  | 'charges'
  | 'customers'
  | 'disputes'
  | 'events'
  | 'invoices'
  | 'webhooks';

/** Writing includes reading. */
type Access = 'none' | 'read' | 'write';

/** What the key may do. */
export class Permissions {
  private allowed: Partial<Record<Resource, Access>> = {};

  constructor(private readonly key: string) {}

  /** From now on the key may do this with each resource, and everything with those that aren't named. */
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
