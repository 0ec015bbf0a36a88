import { type Readable, type Writable } from 'node:stream';

/** Everything the CLI uses of the process, so that a test can replace it. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Base directory of relative file names. */
  readonly directory: string;
  readonly stackFile: string;
}
