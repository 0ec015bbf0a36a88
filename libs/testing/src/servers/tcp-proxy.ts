import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between clients and the server of a URL; what passes is for a subclass to decide. */
export abstract class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer({ noDelay: true }, (client) => this.join(client));
  private readonly target: URL;

  constructor(url: string) {
    this.target = new URL(url);
  }

  /** Listens on a free port. */
  async listen(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  /** The server's URL as seen through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href.replace(/\/$/, '');
  }

  /** Breaks every connection; new ones may be made at once. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  /** Connects both sides of a new connection. */
  protected abstract pass(client: Socket, server: Socket): void;

  /** The end of one side is the end of the other. */
  protected leave(_socket: Socket, other: Socket): void {
    other.destroySoon();
  }

  private join(client: Socket): void {
    const server = connect({ host: this.target.hostname, port: Number(this.target.port), noDelay: true });
    this.pass(client, server);
    const sides: [Socket, Socket][] = [
      [client, server],
      [server, client],
    ];
    for (const [socket, other] of sides) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.leave(socket, other);
      });
    }
  }
}
