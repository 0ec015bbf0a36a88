import { type EventEmitter } from 'node:events';

/** Counts what clients hold at once, altogether and for each network, within a bound of each. */
export class NetworkSlots {
  private total = 0;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly ofNetworkMax: number,
  ) {}

  /** Whether `holder` may hold one more for this network; if so, it counts until `holder` closes. */
  tryHold(network: string, holder: EventEmitter): boolean {
    const count = this.counts.get(network) ?? 0;
    if (this.total >= this.max || count >= this.ofNetworkMax) return false;
    this.total += 1;
    this.counts.set(network, count + 1);
    holder.once('close', () => this.giveBack(network));
    return true;
  }

  private giveBack(network: string): void {
    const count = (this.counts.get(network) ?? 0) - 1;
    this.total -= 1;
    if (count > 0) this.counts.set(network, count);
    else this.counts.delete(network);
  }
}
