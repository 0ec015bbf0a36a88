import { Injectable } from '@nestjs/common';
import { type Lot } from '../rules/allocate.js';

const accountsMax = 20_000;
/** An account with more is not remembered. */
const lotsMax = 50;

/**
 * The unexpired lots of accounts as this replica has last seen them: what a charge is decided on before the account is locked.
 * Anyone may have changed them since. Remembers those that were charged last.
 */
@Injectable()
export class KnownLots {
  private readonly lots = new Map<string, readonly Lot[]>();

  /** Of each account; none of one that is not remembered. */
  of(accountIds: Iterable<string>): Map<string, readonly Lot[]> {
    return new Map([...accountIds].map((accountId) => [accountId, this.lots.get(accountId) ?? []]));
  }

  remember(accountId: string, lots: readonly Lot[]): void {
    this.lots.delete(accountId);
    if (lots.length <= lotsMax) this.lots.set(accountId, lots);
    const [oldest] = this.lots.keys();
    if (this.lots.size > accountsMax && oldest !== undefined) this.lots.delete(oldest);
  }
}
