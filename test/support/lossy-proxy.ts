import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * How a client loses an answer: none of it arrives although it left the server whole, half of it arrives, or the
 * connection breaks while the server is at work.
 */
export type Loss = 'unseen' | 'half' | 'abandoned';

/** Longer than some calls take and shorter than others. */
const abandonedAfterMostMs = 20;

/**
 * Stands between clients and a server as a proxy or a mobile network does, and loses some of the answers. Its clients
 * send one request at a time on a connection.
 */
export class LossyProxy {
  readonly losses: Record<Loss, number> = { unseen: 0, half: 0, abandoned: 0 };
  private readonly sockets = new Set<Socket>();
  private requests = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly lossOf: (request: number) => Loss | null,
  ) {}

  /** Listens on a free port; `lossOf` is asked for each request, by its number. */
  static async open(origin: string, lossOf: (request: number) => Loss | null): Promise<LossyProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new LossyProxy(server, new URL(origin), lossOf);
    server.on('connection', (client) => proxy.join(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private join(client: Socket): void {
    const server = connect({ host: this.target.hostname, port: Number(this.target.port), noDelay: true });
    const breakOff = (): void => {
      client.resetAndDestroy();
      server.resetAndDestroy();
    };
    let loss: Loss | null = null;
    let received: Buffer[] = [];
    client.on('data', (chunk: Buffer) => {
      loss = this.nextLoss();
      server.write(chunk);
      if (loss === 'abandoned') setTimeout(breakOff, Math.random() * abandonedAfterMostMs);
    });
    server.on('data', (chunk: Buffer) => {
      if (loss === 'abandoned') return;
      received.push(chunk);
      const answer = Buffer.concat(received);
      if (!isWhole(answer)) return;
      received = [];
      if (loss === 'unseen') breakOff();
      else if (loss === 'half') client.write(answer.subarray(0, answer.length / 2), breakOff);
      else client.write(answer);
    });
    this.pair(client, server);
    this.pair(server, client);
  }

  private nextLoss(): Loss | null {
    const loss = this.lossOf(this.requests++);
    if (loss) this.losses[loss] += 1;
    return loss;
  }

  /** The end of one side is the end of the other. */
  private pair(socket: Socket, other: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.sockets.delete(socket);
      other.destroySoon();
    });
  }
}

/** Whether an answer has all of its body, whose length its head says. */
function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = answer.toString('latin1', 0, end);
  const [, length = 0] = /^content-length: *(\d+)/im.exec(head) ?? [];
  const isBodiless = head.startsWith('HTTP/1.1 304');
  return answer.length >= end + 4 + (isBodiless ? 0 : Number(length));
}

/** Loses every third answer, in each way in turn. */
export function everyThird(request: number): Loss | null {
  if (request % 3 !== 2) return null;
  return (['unseen', 'half', 'abandoned'] as const)[Math.floor(request / 3) % 3] ?? null;
}
