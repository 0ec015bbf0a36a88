import { type Socket } from 'node:net';
import { TcpProxy } from '#testing';

/** What becomes of a statement: it is answered, it never arrives, or it is done and its answer never arrives. */
export type Fate = 'answered' | 'not done' | 'done unseen';

/** Messages after which PostgreSQL answers that it is ready again: a simple query, and the end of a prepared one. */
const statementTypes = new Set(['Q', 'S']);
const ready = 'Z';

/** A proxy between a replica of billing and PostgreSQL, which breaks all connections at a chosen statement. */
export class BreakingPostgres extends TcpProxy {
  /** `fateOf` is asked for each statement. */
  constructor(
    url: string,
    private readonly fateOf: () => Fate,
  ) {
    super(url);
  }

  protected pass(client: Socket, server: Socket): void {
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
          this.cut();
          return;
        }
        if (fate === 'done unseen') unseen = statements;
      }
      server.write(bytes);
    });
    const answered = new Messages('typed', (type, bytes) => {
      if (type === ready) answers += 1;
      if (answers >= unseen) this.cut();
      else if (!client.destroyed) client.write(bytes);
    });
    client.on('data', (chunk) => asked.push(chunk));
    server.on('data', (chunk) => answered.push(chunk));
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
