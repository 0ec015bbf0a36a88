/** One complete HTTP answer, as received over a connection. */
export interface WireAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  /** Empty when bodies are not kept. */
  readonly body: Buffer;
  /** Size of the whole answer on the wire. */
  readonly bytes: number;
}

interface Options {
  readonly bufferBodies: boolean;
  /** Called once per answer, in order of arrival. */
  readonly take: (answer: WireAnswer) => void;
}

const headEnd = '\r\n\r\n';
const contentLength = /^content-length: *(\d+)/im;
/** These have no body, whatever their headers say. */
const bodiless = (status: number): boolean => status < 200 || status === 204 || status === 304;

/**
 * Parses what a server writes to one connection, however the bytes are split: answers to GET, each with a
 * Content-Length. Cheap enough for thousands of answers a second.
 */
export class ResponseReader {
  private head = '';
  private status = 0;
  private headBytes = 0;
  private bodyBytes = 0;
  private missing = 0;
  private pieces: Buffer[] = [];

  constructor(private readonly options: Options) {}

  /** Parses the next bytes; they may be overwritten afterwards. Throws when they are not such an answer. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.status === 0 ? this.readHead(chunk, at) : this.readBody(chunk, at);
  }

  private readHead(chunk: Buffer, at: number): number {
    const before = this.head.length;
    const end = before === 0 ? chunk.indexOf(headEnd, at) : -1;
    this.head += chunk.toString('latin1', at, end === -1 ? chunk.length : end + headEnd.length);
    const length = this.head.indexOf(headEnd);
    if (length === -1) return chunk.length;
    this.headBytes = length + headEnd.length;
    this.head = this.head.slice(0, length);
    this.begin();
    return at + this.headBytes - before;
  }

  private begin(): void {
    this.status = Number(this.head.slice(9, 12));
    const length = contentLength.exec(this.head)?.[1];
    if (!this.head.startsWith('HTTP/1.') || !(this.status >= 100)) {
      throw new Error(`not an answer: ${this.head.slice(0, 100)}`);
    }
    if (length === undefined && !bodiless(this.status)) throw new Error(`no Content-Length: ${this.head}`);
    this.bodyBytes = bodiless(this.status) ? 0 : Number(length);
    this.missing = this.bodyBytes;
    if (this.missing === 0) this.finish();
  }

  private readBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.missing);
    if (this.options.bufferBodies) this.pieces.push(Buffer.from(chunk.subarray(at, end)));
    this.missing -= end - at;
    if (this.missing === 0) this.finish();
    return end;
  }

  private finish(): void {
    const { status, head, pieces } = this;
    const bytes = this.headBytes + this.bodyBytes;
    this.head = '';
    this.status = 0;
    this.pieces = [];
    this.options.take({ status, head, body: Buffer.concat(pieces), bytes });
  }
}
