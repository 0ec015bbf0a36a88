import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of a statement: it is answered, it never arrives, or it is done and its answer never arrives. */
export type Fate = 'answered' | 'not done' | 'done unseen';

/** Messages after which PostgreSQL answers that it is ready again: a simple query, and the end of a prepared one. */
const statementTypes = new Set(['Q', 'S']);
const ready = 'Z';

/** A proxy between a replica of billing and PostgreSQL, which breaks all connections at a chosen statement. */
export class BreakingPostgres {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly fateOf: () => Fate,
  ) {}

  /** Listens on a free port; `fateOf` is asked for each statement. */
  static async open(url: string, fateOf: () => Fate): Promise<BreakingPostgres> {
    const server = createServer({ noDelay: true });
    const proxy = new BreakingPostgres(server, new URL(url), fateOf);
    server.on('connection', (client) => proxy.join(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  close(): void {
    this.breakAll();
    this.server.close();
  }

  private breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket): void {
    const server = connect({ host: this.target.hostname, port: Number(this.target.port), noDelay: true });
    let statements = 0;
    // The first one answers the greeting.
    let answers = -1;
    let unseen = Number.POSITIVE_INFINITY;
    const asked = new Messages('greeting', (type, bytes) => {
      if (client.destroyed) return;
      if (statementTypes.has(type)) {
        statements += 1;
        const fate = this.fateOf();
        if (fate === 'not done') {
          this.breakAll();
          return;
        }
        if (fate === 'done unseen') unseen = statements;
      }
      server.write(bytes);
    });
    const answered = new Messages('typed', (type, bytes) => {
      if (type === ready) answers += 1;
      if (answers >= unseen) this.breakAll();
      else if (!client.destroyed) client.write(bytes);
    });
    client.on('data', (chunk) => asked.push(chunk));
    server.on('data', (chunk) => answered.push(chunk));
    this.pair(client, server);
    this.pair(server, client);
  }

  private pair(socket: Socket, other: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.sockets.delete(socket);
      other.destroySoon();
    });
  }
}

/** Cuts a stream of PostgreSQL's protocol into messages. */
class Messages {
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    private next: 'greeting' | 'typed',
    private readonly take: (type: string, bytes: Buffer) => void,
  ) {}

  push(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (;;) {
      // A greeting has no type before its length.
      const typeBytes = this.next === 'greeting' ? 0 : 1;
      if (this.rest.length < typeBytes + 4) return;
      const end = typeBytes + this.rest.readInt32BE(typeBytes);
      if (this.rest.length < end) return;
      const message = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      this.next = 'typed';
      this.take(typeBytes === 0 ? '' : message.toString('latin1', 0, 1), message);
    }
  }
}
