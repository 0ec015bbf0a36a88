import { resolve } from 'node:path';
import { type Readable, type Writable } from 'node:stream';
import { type Command } from 'commander';
import { AdminClient } from './admin-client.js';
import { findConnection } from './connection.js';
import { show } from './output/show.js';

/** Everything the CLI uses of the process, so that a test can replace it. */
export interface CliIo {
  /** What a user types before the words of a command, as help and suggestions show it. */
  readonly command: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Base directory of relative file names. */
  readonly directory: string;
  /** `null` for the installed package, which has no local stack. */
  readonly stackFile: string | null;
  /** Directory of the tables that ship with the import from Wikidata. */
  readonly wikidataTables: string;
}

interface GlobalOptions {
  readonly adminUrl?: string;
  readonly adminToken?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** What a command works with: the service and the output. */
export class Session {
  constructor(
    private readonly program: Command,
    readonly io: CliIo,
  ) {}

  /** Created on first use, so that help needs no service. */
  get client(): AdminClient {
    const { dataDir } = this.options;
    // An explicit local stack takes precedence over the service named in the environment.
    const [environment, stackFile] =
      dataDir === undefined
        ? [this.io.environment, this.io.stackFile]
        : [{}, resolve(this.io.directory, dataDir, 'stack.json')];
    return new AdminClient(findConnection({ options: this.options, environment, stackFile }));
  }

  get json(): boolean {
    return this.options.json === true;
  }

  /** Prints the API's JSON with `--json`, else readable text. */
  print<Body extends object>(body: Body, asText: (body: Body) => string = show): void {
    this.io.stdout.write(`${this.json ? asJson(body) : asText(body)}\n`);
  }

  /** Prints a note on standard error, apart from the result. */
  note(text: string): void {
    this.io.stderr.write(`${text}\n`);
  }

  private get options(): GlobalOptions {
    return this.program.opts<GlobalOptions>();
  }
}

/** JSON of the same value, with escapes for what would change the direction of writing on a terminal. */
function asJson(body: unknown): string {
  return JSON.stringify(body, null, 2).replace(
    /\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
