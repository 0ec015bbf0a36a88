import { connect, type Socket } from 'node:net';
import { ResponseReader, type WireAnswer } from '@app/testing';

/** Told once per call: the status, or what went wrong with the connection. */
export type Ended = (outcome: number | string) => void;

interface Target {
  readonly host: string;
  readonly port: number;
  /** The caller's own address. */
  readonly localAddress?: string;
}

/** All connections read into it: each takes out what came before the next one reads. */
const buffer = Buffer.alloc(64 * 1_024);

/**
 * One kept connection with one call at a time, whose request is bytes that were made before. It costs a fraction of an HTTP
 * client, because it shares the machine with what is measured.
 */
export class HttpConnection {
  private socket?: Socket;
  private ended?: Ended;
  private readonly take = (answer: WireAnswer): void => {
    if (/^connection: *close/im.test(answer.head)) this.drop();
    this.end(answer.status);
  };

  constructor(private readonly target: Target) {}

  /** Sends a request, over a new connection when there is none. Not before the last one has ended. */
  send(request: Buffer, ended: Ended): void {
    if (this.ended) throw new Error('one call at a time');
    this.ended = ended;
    this.socket ??= this.open();
    this.socket.write(request);
  }

  close(): void {
    this.drop();
    this.end('given up');
  }

  private open(): Socket {
    const reader = new ResponseReader({ bufferBodies: false, take: this.take });
    const callback = (length: number): boolean => {
      reader.push(buffer.subarray(0, length));
      return true;
    };
    const socket = connect({ ...this.target, noDelay: true, onread: { buffer, callback } });
    // A socket that was dropped has nothing to say any more.
    const broken = (what: string): void => {
      if (this.socket !== socket) return;
      this.drop();
      this.end(what);
    };
    socket.on('error', (error: NodeJS.ErrnoException) => broken(error.code ?? error.message));
    socket.on('end', () => broken('hung up'));
    socket.on('close', () => broken('closed'));
    socket.resume();
    return socket;
  }

  private drop(): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.destroy();
  }

  private end(outcome: number | string): void {
    const { ended } = this;
    this.ended = undefined;
    ended?.(outcome);
  }
}
