import { type Readable, type Writable } from 'node:stream';

/** Everything of the process that the CLI touches, so that a test can stand in its place. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directory that relative file names start from. */
  readonly directory: string;
  readonly stackFile: string;
}
