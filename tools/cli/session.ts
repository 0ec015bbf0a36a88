import { resolve } from 'node:path';
import { type Command } from 'commander';
import { AdminClient } from './admin-client.js';
import { findConnection } from './connection.js';
import { type CliIo } from './io.js';

interface GlobalOptions {
  readonly adminUrl?: string;
  readonly adminToken?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** What a command works with: the service, and the output. */
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

  /** Prints the API's JSON with `--json`, else readable text. */
  print<Body>(body: Body, text: (body: Body) => string): void {
    this.io.stdout.write(`${this.json ? JSON.stringify(body, null, 2) : text(body)}\n`);
  }

  /** Prints a note on standard error, apart from the result. */
  note(text: string): void {
    this.io.stderr.write(`${text}\n`);
  }

  private get stackFile(): string {
    const { dataDir } = this.options;
    return dataDir === undefined ? this.io.stackFile : resolve(this.io.directory, dataDir, 'stack.json');
  }

  private get options(): GlobalOptions {
    return this.program.opts<GlobalOptions>();
  }
}
