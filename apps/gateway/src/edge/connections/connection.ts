import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { limits } from '../../limits.js';
import { Exchange } from './exchange.js';

interface Waiting {
  readonly exchange: Exchange;
  readonly response: ServerResponse;
  /** When its head had arrived, on the monotonic clock, ms. */
  readonly arrivedAt: number;
  readonly headBytes: number;
  readonly start: () => void;
}

/** While so many requests of a connection wait, nothing more is read from it. */
const waitingMax = limits.pipelined;
/** Memory that the heads of waiting requests may take, bytes. */
const waitingBytesMax = limits.pipelinedBytes;
/**
 * Node parses the last read to its end: 64 KiB, in which a client with a key can't write more requests than this. One that
 * does is cut off.
 */
const parsedMax = 1_000;

/** Memory of each header in addition to its characters. */
const headerBytes = 64;

/** The memory that the head of a request takes until the request ends. */
export function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce(
    (bytes, part) => bytes + part.length,
    url.length + (headerBytes * rawHeaders.length) / 2,
  );
}

const connections = new WeakMap<Socket, Connection>();

/**
 * The requests of one connection, one at a time: a pipelined request starts when the answer before it has been handed
 * over. So a connection holds at most one slot, and no answer is charged while it waits for its client. One listener on
 * the socket serves them all.
 */
export class Connection {
  private current: Exchange | null = null;
  private readonly waiting: Waiting[] = [];
  private waitingBytes = 0;
  private lastAnswerAt = performance.now();
  /** The request that arrived last. */
  private latest: Waiting | null = null;
  private whenAllAnswered: (() => void) | null = null;
  private whenLate: (() => void) | null = null;
  private isUnread = false;
  /** Whether the request waits before any work for it. */
  isHeld = false;

  private constructor(private readonly socket: Socket) {
    socket.once('close', () => {
      const waiting = this.waiting.splice(0);
      this.waitingBytes = 0;
      this.current?.disconnected();
      for (const { exchange } of waiting) exchange.disconnected();
    });
    // Node resumes a connection as each request ends, and for bodies.
    socket.on('resume', () => {
      if (this.isFull) socket.pause();
    });
  }

  static of(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known) return known;
    const connection = new Connection(socket);
    connections.set(socket, connection);
    return connection;
  }

  /** The connection of a socket that has sent a request already. */
  static find(socket: Socket): Connection | undefined {
    return connections.get(socket);
  }

  /** So much waits that nothing more is read from the connection. */
  get isFull(): boolean {
    return this.isUnread || this.waiting.length >= waitingMax || this.waitingBytes >= waitingBytesMax;
  }

  /**
   * Reads nothing more of a body in chunks until `continueReading`: each of them, of one byte too, takes hundreds of bytes. What
   * Node has parsed of the last read is joined.
   */
  stopReading(request: IncomingMessage): void {
    this.isUnread = true;
    this.socket.pause();
    setImmediate(() => {
      const parsed = request.read() as Buffer | null;
      if (parsed !== null) request.unshift(parsed);
    });
  }

  continueReading(): void {
    this.isUnread = false;
    if (!this.isFull) this.readOn();
  }

  /**
   * Since when there is nothing to be answered, on the monotonic clock, ms; `null` while there is. A request whose body has
   * not arrived whole is nothing yet: a slow sender could hold the connection by it. Nor is one that is held.
   */
  get idleSince(): number | null {
    const { current, latest } = this;
    if (current === null) return this.lastAnswerAt;
    const isArriving = latest?.exchange === current && !latest.response.req.complete;
    return isArriving || this.isHeld ? (latest?.arrivedAt ?? null) : null;
  }

  /**
   * The exchange of a request that has arrived and that `response` answers. Calls `start` when its turn has come; never, when
   * the connection ends before.
   */
  take(response: ServerResponse, start: (exchange: Exchange) => void): Exchange {
    const exchange = new Exchange(this.socket);
    response.once('finish', () => exchange.answered());
    const arrivedAt = performance.now();
    const isFirst = this.current === null;
    const waiting = {
      ...{ exchange, response, arrivedAt },
      headBytes: isFirst ? 0 : headBytes(response.req),
      start: () => start(exchange),
    };
    this.latest = waiting;
    if (this.socket.destroyed) exchange.disconnected();
    else if (isFirst) this.start(waiting);
    else if (this.waiting.length < parsedMax) this.wait(waiting);
    else this.cutOff(exchange);
    return exchange;
  }

  /**
   * Something arrived that is no request. `refuse` is called once what came before it has been answered, and never when the
   * connection ends before. A request whose body it is a part of is answered once: by its own answer where that has begun,
   * and then the connection just ends, else by `refuse`.
   */
  endWith(refuse: () => void): void {
    const { latest } = this;
    if (latest === null || latest.response.req.complete) return this.afterAnswers(refuse);
    if (latest.response.headersSent) return this.afterAnswers(() => hangUp(this.socket));
    if (this.current === latest.exchange) return refuse();
    this.waiting.pop();
    this.waitingBytes -= latest.headBytes;
    this.afterAnswers(refuse);
  }

  /**
   * The request that is arriving has taken too long. Where that is because nothing was read from the connection, it has time
   * again, and `refuse` is called only if it does not come.
   */
  late(refuse: () => void): void {
    if (this.isFull) this.whenLate = refuse;
    else refuse();
  }

  private afterAnswers(last: () => void): void {
    if (this.current === null) last();
    else this.whenAllAnswered = last;
  }

  private wait(waiting: Waiting): void {
    this.waiting.push(waiting);
    this.waitingBytes += waiting.headBytes;
    if (this.isFull) this.socket.pause();
  }

  private start({ exchange, start }: Waiting): void {
    this.current = exchange;
    exchange.onEnd(() => this.next());
    start();
  }

  private next(): void {
    this.current = null;
    this.lastAnswerAt = performance.now();
    const wasFull = this.isFull;
    const waiting = this.waiting.shift();
    if (waiting) {
      this.waitingBytes -= waiting.headBytes;
      if (wasFull && !this.isFull) this.readOn();
      this.start(waiting);
    } else if (!this.socket.destroyed) {
      this.whenAllAnswered?.();
    }
  }

  private readOn(): void {
    this.socket.resume();
    const { latest, whenLate } = this;
    if (whenLate === null) return;
    this.whenLate = null;
    const wasComplete = latest?.response.req.complete;
    const check = (): void => {
      if (this.latest === latest && latest?.response.req.complete === wasComplete) whenLate();
    };
    setTimeout(check, limits.headersMs).unref();
  }

  private cutOff(exchange: Exchange): void {
    exchange.disconnected();
    this.socket.destroy();
  }
}

/** How long a client may still be reading, ms: closing earlier could discard on the way what it was sent last. */
const readingMs = 5_000;

/** Ends a connection, with `last` as the last bytes: soon for good, whatever its client still sends. */
export function hangUp(socket: Socket, last = ''): void {
  const timer = setTimeout(() => socket.destroy(), readingMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
}
