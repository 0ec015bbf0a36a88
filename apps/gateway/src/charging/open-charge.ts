import { counter } from '@app/platform';
import { type Exchange } from '../connections/exchange.js';
import { type Settler } from './settler.js';

const possibleEnds = ['handed_over', 'abandoned', 'given_up'] as const;
type End = (typeof possibleEnds)[number];

const ends = counter(
  'charged_calls_total',
  'Calls that credits were taken for, by their end: the answer handed over, the call abandoned by its client, or given up here.',
  { end: possibleEnds },
);

/**
 * One charge from the gateway's side, settled exactly once. The end of its exchange decides: the paid answer handed over
 * whole while the connection was alive means post, anything else means void (design 3).
 */
export class OpenCharge {
  private taken = false;
  private delivering = false;
  private settled = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly id: string,
    private readonly accountId: string,
    private readonly exchange: Exchange,
    private readonly settler: Settler,
    /** Called when the client is gone, or was cut off because it read too slowly, while credits were taken. */
    private readonly whenAbandoned: () => void,
  ) {
    exchange.onEnd((end) => {
      clearTimeout(this.timer);
      if (end === 'cut_off') this.settle('abandoned');
      else this.settle(this.delivering ? 'handed_over' : 'given_up');
    });
  }

  /**
   * The charge is about to be sent: from now on credits may have been taken, and the answer has to be handed over within
   * `handOverMs`, else the connection is ended: a charge that is settled too late is voided by billing, and its client must not
   * have the whole answer. A charge of 0 credits has nothing to settle.
   */
  begin(credits: number, handOverMs: number): void {
    this.taken = credits > 0;
    if (this.taken) this.timer = setTimeout(() => this.exchange.abort(), handOverMs).unref();
  }

  /** Billing took no credits: there is nothing to settle, and no hurry. */
  nothingTaken(): void {
    this.taken = false;
    clearTimeout(this.timer);
  }

  /** The paid response, and not an error, is being written. */
  deliver(): void {
    this.delivering = true;
  }

  /** Voids at once: something failed after the charge was sent. */
  giveUp(): void {
    this.settle('given_up');
  }

  private settle(end: End): void {
    if (this.settled || !this.taken) return;
    this.settled = true;
    ends.inc({ end });
    if (end === 'abandoned') this.whenAbandoned();
    const outcome = end === 'handed_over' ? 'posted' : 'voided';
    this.settler.settle({ charge_id: this.id, account_id: this.accountId, outcome });
  }
}
