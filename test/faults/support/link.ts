import { type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { TcpProxy } from '#testing';

const undisturbed = { delayMs: 0, dropsReplies: false };

/** A proxy between a service and one of its servers that can disturb their traffic. */
export class Link extends TcpProxy {
  private manner = undisturbed;
  /** By each socket, when all that came from it has arrived. */
  private readonly arrivals = new Map<Socket, Promise<unknown>>();

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

  protected pass(client: Socket, server: Socket): void {
    client.on('data', (chunk) => this.send(client, server, chunk));
    server.on('data', (chunk) => this.manner.dropsReplies || this.send(server, client, chunk));
  }

  /** What is still on its way arrives first, as it would on a wire. */
  protected override leave(socket: Socket, other: Socket): void {
    void Promise.resolve(this.arrivals.get(socket)).then(() => other.destroySoon());
    this.arrivals.delete(socket);
  }

  private send(from: Socket, to: Socket, chunk: Buffer): void {
    const { delayMs } = this.manner;
    const arrival = delayMs > 0 ? wait(delayMs) : undefined;
    const before = this.arrivals.get(from);
    this.arrivals.set(
      from,
      Promise.all([before, arrival]).then(() => to.writable && to.write(chunk)),
    );
  }
}
