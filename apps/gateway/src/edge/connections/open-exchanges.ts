import { type Server } from 'node:net';
import { type Exchange } from './exchange.js';

const openByServer = new WeakMap<Server, OpenExchanges>();

/** The exchanges of one server that have not ended, those whose turn has not come too. */
export class OpenExchanges {
  private open = 0;
  private begun = 0;
  private readonly onNone: (() => void)[] = [];

  static of(server: Server): OpenExchanges {
    const known = openByServer.get(server);
    if (known) return known;
    const exchanges = new OpenExchanges();
    openByServer.set(server, exchanges);
    return exchanges;
  }

  get count(): number {
    return this.open;
  }

  /** How many there have been at all. */
  get total(): number {
    return this.begun;
  }

  add(exchange: Exchange): void {
    this.begun += 1;
    this.open += 1;
    exchange.onEnd(() => {
      this.open -= 1;
      if (this.open === 0) for (const resolve of this.onNone.splice(0)) resolve();
    });
  }

  /** Resolves when there is none, which may be at once. */
  async none(): Promise<void> {
    while (this.open > 0) await new Promise<void>((resolve) => this.onNone.push(resolve));
  }
}
