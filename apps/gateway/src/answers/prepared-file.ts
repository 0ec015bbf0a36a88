import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { etagOf } from './etag.js';

/** Better than what is compressed for each answer: this is done once, on another thread. */
const gzipLevel = 9;
const brotliLevel = 9;
const hashLength = 16;

type Compress = (bytes: Buffer) => Promise<Buffer>;

/** By name in `Accept-Encoding`, the smallest first. */
const encodings: readonly (readonly [name: string, compress: Compress])[] = [
  [
    'br',
    (bytes) =>
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevel } }),
  ],
  ['gzip', (bytes) => promisify(gzip)(bytes, { level: gzipLevel })],
];
const names = encodings.map(([name]) => name);

export interface EncodedFile {
  /** The name of the encoding; `null` for the bytes as they are. */
  readonly encoding: string | null;
  readonly bytes: Buffer;
}

/** An answer that is the same for all clients. Each of its compressed forms is made when it is first asked for, and kept. */
export class PreparedFile {
  readonly etag: string;
  /** Names this content, for an address that can be kept for ever. */
  readonly hash: string;
  private readonly compressed = new Map<string, Promise<Buffer>>();

  constructor(
    /** The value of `Content-Type`. */
    readonly type: string,
    private readonly bytes: Buffer,
  ) {
    this.etag = etagOf(bytes);
    this.hash = createHash('sha256').update(bytes).digest('hex').slice(0, hashLength);
  }

  /** The smallest form that an `Accept-Encoding` header accepts. */
  async encodedFor(acceptEncoding = ''): Promise<EncodedFile> {
    const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings(names);
    for (const [encoding, compress] of encodings) {
      if (!accepted.includes(encoding)) continue;
      const bytes = this.compressed.get(encoding) ?? compress(this.bytes);
      this.compressed.set(encoding, bytes);
      return { encoding, bytes: await bytes };
    }
    return { encoding: null, bytes: this.bytes };
  }
}

export const contentTypes = {
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

/** By name in an address: the hash of the content comes before the ending. */
const hashedName = /^(.+)\.([0-9a-f]{16})(\.[a-z]+)$/;

/** `Cache-Control` of a file whose address names its content. */
const keptForEver = 'public, max-age=31536000, immutable';

export interface FoundFile {
  readonly file: PreparedFile;
  /** The value of `Cache-Control`: an address that names this very content can be kept for ever. */
  readonly cacheControl: string;
}

/** Files that a page loads, at addresses that name their content. */
export class HashedFiles {
  private readonly files: ReadonlyMap<string, PreparedFile>;

  constructor(files: Readonly<Record<string, PreparedFile>>) {
    this.files = new Map(Object.entries(files));
  }

  /** The last part of the address of a file: its name with the hash of its content. */
  addressOf(name: string): string {
    const file = this.files.get(name);
    if (!file) throw new Error(`there is no file ${name} to be served`);
    return name.replace(/(\.[a-z]+)$/, `.${file.hash}$1`);
  }

  /**
   * The file at an address, or by its plain name. While gateways are replaced, a page of one may load files from another: an
   * address with another hash is the file as it is here.
   */
  find(address: string): FoundFile | undefined {
    const [, base, hash, ending] = hashedName.exec(address) ?? [];
    const file = this.files.get(base === undefined ? address : `${base}${ending}`);
    return file && { file, cacheControl: file.hash === hash ? keptForEver : 'no-store' };
  }
}
