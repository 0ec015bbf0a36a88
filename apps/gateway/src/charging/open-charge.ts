import { type ServerResponse } from 'node:http';
import { type Settler } from './settler.js';

/**
 * One charge from the gateway's side, settled exactly once. The listener on the raw response's `close`, in place before
 * the charge is sent, decides: handed over whole means post, anything else means void.
 */
export class OpenCharge {
  private taken = false;
  private delivering = false;
  private settled = false;

  constructor(
    readonly id: string,
    private readonly accountId: string,
    private readonly response: ServerResponse,
    private readonly settler: Settler,
  ) {
    response.once('close', () => {
      this.settle(this.delivering && this.response.writableFinished ? 'posted' : 'voided');
    });
  }

  /** The charge is about to be sent: from now on credits may have been taken. A charge of nothing has nothing to settle. */
  begin(credits: number): void {
    this.taken = credits > 0;
  }

  /** Billing refused: there is nothing to give back. */
  nothingTaken(): void {
    this.taken = false;
  }

  /** The paid response, and not an error, is being written. */
  deliver(): void {
    this.delivering = true;
  }

  /** Voids at once: something failed after the charge was sent. */
  giveUp(): void {
    this.settle('voided');
  }

  private settle(outcome: 'posted' | 'voided'): void {
    if (this.settled || !this.taken) return;
    this.settled = true;
    this.settler.settle({ charge_id: this.id, account_id: this.accountId, outcome });
  }
}
