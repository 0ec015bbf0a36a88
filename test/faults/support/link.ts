import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

type Manner = { readonly delayMs: number; readonly dropsReplies: boolean };

const undisturbed: Manner = { delayMs: 0, dropsReplies: false };

/** A proxy between a service and one of its servers that can disturb their traffic. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private manner = undisturbed;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /** Listens on a free port for what goes to the server of `url`. */
  static async open(url: string): Promise<Link> {
    const server = createServer();
    const link = new Link(server, new URL(url));
    server.on('connection', (socket) => link.join(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return link;
  }

  /** The server's URL as seen through the link. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Breaks every connection; new ones may be made at once. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** For so long, everything arrives late, in its order. */
  async delay(delayMs: number, forMs: number): Promise<void> {
    this.manner = { delayMs, dropsReplies: false };
    await wait(forMs);
    this.manner = undisturbed;
  }

  /** For so long, what the server sends is lost; the connections that lost something are broken then. */
  async dropReplies(forMs: number): Promise<void> {
    this.manner = { delayMs: 0, dropsReplies: true };
    await wait(forMs);
    this.manner = undisturbed;
    this.cut();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(client: Socket): void {
    const server = connect({ host: this.target.hostname, port: Number(this.target.port) });
    this.pass(client, server, () => false);
    this.pass(server, client, () => this.manner.dropsReplies);
  }

  private pass(from: Socket, to: Socket, isLost: () => boolean): void {
    let before: Promise<unknown> = Promise.resolve();
    this.sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (chunk: Buffer) => {
      if (isLost()) return;
      const arrival = this.manner.delayMs > 0 ? wait(this.manner.delayMs) : undefined;
      before = Promise.all([before, arrival]).then(() => to.writable && to.write(chunk));
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      // What is still on its way arrives first, as it would on a wire.
      void before.then(() => to.destroySoon());
    });
  }
}
