import { type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

interface Reading {
  readonly port: number;
  readonly request: string;
  /** The client resets the connection once it has read so many bytes behind the head. */
  readonly bytes: number;
}

/** Runs in a thread of its own, because the test stops the thread of the gateway meanwhile. */
const program = `
  const { connect } = require('node:net');
  const { workerData: { port, request, bytes, gone } } = require('node:worker_threads');
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  let head = '';
  let left = Infinity;
  socket.on('data', (data) => {
    if (left === Infinity) {
      head += data.toString('latin1');
      const end = head.indexOf('\\r\\n\\r\\n');
      if (end !== -1) left = Number(/content-length: (\\d+)/i.exec(head)[1]) - (head.length - end - 4);
    } else left -= data.length;
    if (left === 0) socket.resetAndDestroy();
  });
  socket.on('close', () => { Atomics.store(gone, 0, 1); Atomics.notify(gone, 0); });
`;

const timeoutMs = 20_000;

/** A client that reads one whole answer and resets its connection at once. */
export class ResettingReader {
  private readonly gone = new Int32Array(new SharedArrayBuffer(4));
  private readonly worker: Worker;

  constructor(reading: Reading) {
    this.worker = new Worker(program, { eval: true, workerData: { ...reading, gone: this.gone } });
  }

  /** Blocks this thread until the client has reset the connection. */
  waitUntilGone(): void {
    if (Atomics.wait(this.gone, 0, 0, timeoutMs) === 'timed-out') throw new Error('the client still reads');
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Whether the kernel has taken everything of an answer with so many bytes, acknowledged or not. */
export function hasLeft(socket: Socket, bytes: number): boolean {
  const handle: unknown = Reflect.get(socket, '_handle');
  const isEmpty =
    typeof handle === 'object' &&
    handle !== null &&
    'writeQueueSize' in handle &&
    handle.writeQueueSize === 0;
  return socket.destroyed || (isEmpty && socket.bytesWritten >= bytes);
}
