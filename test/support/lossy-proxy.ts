import { type Socket } from 'node:net';
import { TcpProxy } from '#testing';

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
export class LossyProxy extends TcpProxy {
  private requests = 0;

  /** `lossOf` is asked for each request, by its number. */
  constructor(
    origin: string,
    private readonly lossOf: (request: number) => Loss | null,
  ) {
    super(origin);
  }

  protected pass(client: Socket, server: Socket): void {
    const breakOff = (): void => {
      client.resetAndDestroy();
      server.resetAndDestroy();
    };
    let loss: Loss | null = null;
    let received: Buffer[] = [];
    client.on('data', (chunk: Buffer) => {
      loss = this.lossOf(this.requests++);
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
