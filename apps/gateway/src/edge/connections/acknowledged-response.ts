import { type IncomingMessage, ServerResponse } from 'node:http';

type Callback = (error?: Error | null) => void;

/**
 * An answer that ends once the kernel has taken all of its data, so that `finish` says exactly that. Left to itself, Node writes
 * an empty piece behind the data, and libuv waits with that until a third of the send buffer is free: a client with small
 * packets could read everything, reset the connection meanwhile, and pay nothing.
 */
export class AcknowledgedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  private unacknowledged = 0;
  /** What ends the answer, between the call of `end` and the last acknowledgement. */
  private ending: (() => void) | null = null;

  static {
    // Whether `end` has been called, as everywhere; a property in the types, so that it can't be an accessor of this class.
    Object.defineProperty(this.prototype, 'writableEnded', {
      get(this: AcknowledgedResponse): boolean {
        return this.ending !== null || this.finished;
      },
    });
  }

  override write(chunk: unknown, encoding?: BufferEncoding | Callback | null, callback?: Callback): boolean {
    const whenWritten = typeof encoding === 'function' ? encoding : callback;
    this.unacknowledged += 1;
    return super.write(chunk, encodingOf(encoding), (error) => {
      this.unacknowledged -= 1;
      whenWritten?.(error);
      if (this.unacknowledged === 0) this.ending?.();
    });
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | Callback | null, callback?: Callback): this {
    const whenEnded = [chunk, encoding, callback].find(isCallback);
    const data = typeof chunk === 'function' ? undefined : chunk;
    // Without a head Node has to see all of the data at once, for its length.
    if (!this.headersSent || this.writableEnded) return super.end(data, encodingOf(encoding), whenEnded);
    if (isSome(data)) this.write(data, encoding);
    if (this.unacknowledged === 0) return super.end(whenEnded);
    this.ending = () => {
      this.ending = null;
      super.end(whenEnded);
    };
    return this;
  }
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}

function isCallback(parameter: unknown): parameter is Callback {
  return typeof parameter === 'function';
}

function isSome(data: unknown): boolean {
  return typeof data === 'string' || data instanceof Uint8Array ? data.length > 0 : false;
}
