import { type PreparedFile } from './prepared-file.js';

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
