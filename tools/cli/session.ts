import { resolve } from 'node:path';
import { type Readable, type Writable } from 'node:stream';
import { type Command } from 'commander';
import { AdminClient, type Query } from './admin-client.js';
import { findConnection } from './connection.js';

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
    // An explicit local stack takes precedence over the service named in the environment.
    const environment = this.options.dataDir === undefined ? this.io.environment : {};
    return new AdminClient(findConnection({ options: this.options, environment, stackFile: this.stackFile }));
  }

  get json(): boolean {
    return this.options.json === true;
  }

  /** Reads from the admin API and prints the answer. */
  async get<Body>(path: string, text: (body: Body) => string, query?: Query): Promise<void> {
    this.print(await this.client.get<Body>(path, query), text);
  }

  /** Changes something through the admin API and prints the answer. */
  async send<Body>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    text: (body: Body) => string,
  ): Promise<void> {
    this.print(await this.client.call<Body>({ method, path, body }), text);
  }

  /** Prints the API's JSON with `--json`, else readable text. */
  print<Body>(body: Body, text: (body: Body) => string): void {
    this.io.stdout.write(`${this.json ? asJson(body) : text(body)}\n`);
  }

  /** Prints a note on standard error, apart from the result. */
  note(text: string): void {
    this.io.stderr.write(`${text}\n`);
  }

  private get stackFile(): string | null {
    const { dataDir } = this.options;
    return dataDir === undefined ? this.io.stackFile : resolve(this.io.directory, dataDir, 'stack.json');
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
