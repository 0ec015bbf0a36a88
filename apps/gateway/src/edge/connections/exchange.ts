import { type Server, type Socket } from 'node:net';

/**
 * How an exchange ended. `handed_over`: its whole answer was handed to the kernel while the connection was alive.
 * `abandoned`: its client left, or was cut off for what it did. `given_up`: the gateway ended it, and its client did nothing wrong.
 */
export type ExchangeEnd = 'handed_over' | 'abandoned' | 'given_up';

/** Sockets of clients that were there after they had closed their side. */
const confirmed = new WeakSet<Socket>();

/**
 * One request and its answer. It ends once, with the answer or with the connection, whichever ends first: Node
 * does not notify an answer that waits behind another one on its connection that the connection is gone.
 */
export class Exchange {
  private readonly listeners: ((end: ExchangeEnd) => void)[] = [];
  private ended: ExchangeEnd | null = null;
  private isGivenUp = false;

  constructor(private readonly socket: Socket) {}

  /** Whether the exchange has ended or its connection is gone. */
  get isOver(): boolean {
    return this.ended !== null;
  }

  /** Whether the connection has failed. `errored` is set before `destroyed`. */
  get isBroken(): boolean {
    return this.socket.destroyed || Boolean(this.socket.errored);
  }

  /** The client has closed its side: it waits for its answers, or it is gone. Nothing has shown yet which. */
  get mayBeGone(): boolean {
    return this.socket.readableEnded && !confirmed.has(this.socket);
  }

  /** The client is known to be there. If it goes now, the next packet to it is answered with a reset. */
  confirmClient(): void {
    confirmed.add(this.socket);
  }

  /** Calls `listener` once, at the end, or at once if it has ended. */
  onEnd(listener: (end: ExchangeEnd) => void): void {
    if (this.ended === null) this.listeners.push(listener);
    else listener(this.ended);
  }

  /**
   * The answer's data has been taken by the kernel, or dropped because the connection failed: Node says `finish` for both.
   */
  answered(): void {
    if (this.isBroken) this.disconnected();
    else this.end('handed_over');
  }

  /** The connection is gone. */
  disconnected(): void {
    this.end(this.isGivenUp ? 'given_up' : 'abandoned');
  }

  /** Marks the coming end of the connection as not caused by the client. */
  giveUp(): void {
    this.isGivenUp = true;
  }

  /** Ends the connection, and with it every exchange on it. */
  abort(): void {
    this.socket.destroy();
  }

  private end(end: ExchangeEnd): void {
    if (this.ended !== null) return;
    this.ended = end;
    for (const listener of this.listeners.splice(0)) listener(end);
  }
}

const openByServer = new WeakMap<Server, OpenExchanges>();

/** The exchanges of one server that have not ended, those whose turn has not come too. */
export class OpenExchanges {
  private readonly open = new Set<Exchange>();
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
    return this.open.size;
  }

  /** How many there have been at all. */
  get total(): number {
    return this.begun;
  }

  add(exchange: Exchange): void {
    this.begun += 1;
    this.open.add(exchange);
    exchange.onEnd(() => {
      this.open.delete(exchange);
      if (this.open.size === 0) for (const resolve of this.onNone.splice(0)) resolve();
    });
  }

  /** Marks the coming end of all connections as not caused by their clients. */
  giveUp(): void {
    for (const exchange of this.open) exchange.giveUp();
  }

  /** Resolves when there is none, which may be at once. */
  async none(): Promise<void> {
    while (this.open.size > 0) await new Promise<void>((resolve) => this.onNone.push(resolve));
  }
}
