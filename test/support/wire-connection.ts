import { EventEmitter, once } from 'node:events';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ResponseReader, type WireAnswer } from '#testing';
import { kernelView } from './kernel-queues.js';

interface WireOptions {
  /** The client's address, any of 127.0.0.0/8. */
  readonly from?: string;
  /** Reads nothing until `read` is called. */
  readonly isPaused?: boolean;
}

/** So little is read at once: a client that stops reading has not read much more than it wanted. */
const readBytes = 4_096;
const stalledAfterMs = 1_000;
const pollMs = 30;
/** Longer than the gateway takes to answer with a 503. */
const patienceMs = 20_000;

/**
 * One connection of a client that decides itself when it reads and how it leaves. Its answers are those that arrived whole.
 */
export class WireConnection {
  readonly answers: WireAnswer[] = [];
  /** Resolves when nothing more can come: whether the server ended it in good order. */
  readonly ended: Promise<'end' | 'broken'>;
  private readonly events = new EventEmitter();
  private readonly reader = new ResponseReader({ bufferBodies: true, take: (answer) => this.take(answer) });
  private isOver = false;
  private problem?: Error;
  private allowance = 0;
  private clientPort = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly serverPort: number,
    private readonly options: WireOptions,
  ) {
    socket.on('error', (error) => (this.problem = error));
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.isOver = true;
        this.events.emit('change');
        resolve(this.problem ? 'broken' : 'end');
      };
      socket.once('end', end);
      socket.once('close', end);
    });
  }

  /** Rejects when the server does not take the connection. */
  static async open(origin: string, options: WireOptions = {}): Promise<WireConnection> {
    const { hostname, port } = new URL(origin);
    const target = { host: hostname, port: Number(port), localAddress: options.from, allowHalfOpen: true };
    const made: { connection?: WireConnection } = {};
    const socket = connect({
      ...target,
      ...readingInto((bytes) => made.connection?.receive(bytes) ?? false),
    });
    made.connection = new WireConnection(socket, target.port, options);
    if (options.isPaused) socket.pause();
    await once(socket, 'connect');
    made.connection.begin();
    return made.connection;
  }

  /** What the client has read, whole answers or not. */
  get bytesRead(): number {
    return this.socket.bytesRead;
  }

  /** What the server has handed to the kernel so far, as this moment shows it: at least that, never less. */
  get bytesHandedOver(): number {
    return this.bytesRead + kernelView(this.clientPort, this.serverPort).bytes;
  }

  /** Whether the server has not given the connection up, which the client may learn much later. */
  get isOpenAtServer(): boolean {
    return kernelView(this.clientPort, this.serverPort).isOpenAtServer;
  }

  /** Resolves once the kernel has taken all of it; rejects when the connection is gone. */
  async send(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.socket.write(text, 'latin1', (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Reads so many bytes more, then pauses; everything from now on when no number is given. */
  read(bytes = Infinity): void {
    this.allowance += bytes;
    this.socket.resume();
  }

  /** Writes nothing more, and goes on reading. */
  async halfClose(text = ''): Promise<void> {
    await new Promise<void>((resolve) => this.socket.end(text, 'latin1', resolve));
  }

  /** Gives the connection up: a FIN, or a reset when there is something unread. What comes after is refused. */
  close(): void {
    this.socket.destroy();
  }

  /** Gives the connection up with a reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Resolves once so many answers are there; rejects when the connection ends before. */
  async whenAnswered(count: number): Promise<WireAnswer[]> {
    while (this.answers.length < count && !this.isOver) await once(this.events, 'change');
    if (this.answers.length < count) {
      throw new Error(`${this.answers.length} of ${count} answers came`, { cause: this.problem });
    }
    return this.answers;
  }

  /** Resolves once the server has handed over so many bytes; rejects when that takes far too long. */
  async whenHandedOver(bytes: number): Promise<void> {
    for (const since = performance.now(); this.bytesHandedOver < bytes; await pause(pollMs)) {
      if (performance.now() - since > patienceMs) {
        throw new Error(`fewer than ${bytes} bytes were handed over`);
      }
    }
  }

  /** Resolves once the server hands over no more because the client does not read: with what it has handed over. */
  async whenStalled(): Promise<number> {
    let handed = this.bytesHandedOver;
    for (let since = performance.now(); performance.now() - since < stalledAfterMs;) {
      await pause(pollMs);
      const now = this.bytesHandedOver;
      if (now !== handed || now === 0) since = performance.now();
      handed = now;
    }
    return handed;
  }

  private begin(): void {
    this.clientPort = this.socket.localPort ?? 0;
    if (this.options.isPaused) return;
    this.allowance = Infinity;
    this.socket.resume();
  }

  /** Whether to go on reading. */
  private receive(bytes: Buffer): boolean {
    this.allowance -= bytes.length;
    try {
      this.reader.push(bytes);
    } catch (error) {
      this.socket.destroy(error as Error);
    }
    if (this.allowance > 0) return true;
    this.socket.pause();
    return false;
  }

  private take(answer: WireAnswer): void {
    this.answers.push(answer);
    this.events.emit('change');
  }
}

/** Reads into one small buffer, so that a pause comes in time. */
function readingInto(receive: (bytes: Buffer) => boolean): Pick<TcpNetConnectOpts, 'onread'> {
  const buffer = Buffer.alloc(readBytes);
  return { onread: { buffer, callback: (length) => receive(buffer.subarray(0, length)) } };
}
