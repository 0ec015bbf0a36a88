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

/** What a command works with: the service, and a way to show what it answered. */
export class Session {
  constructor(
    private readonly program: Command,
    readonly io: CliIo,
  ) {}

  /** Made on first use, so that help needs no service. */
  get client(): AdminClient {
    // Whoever names a local stack does not mean the service of the shell.
    const environment = this.options.dataDir === undefined ? this.io.environment : {};
    return new AdminClient(findConnection({ options: this.options, environment, stackFile: this.stackFile }));
  }

  get json(): boolean {
    return this.options.json === true;
  }

  /** Prints the API's own JSON with `--json`, else the text made for people. */
  print<Body>(body: Body, text: (body: Body) => string): void {
    this.io.stdout.write(`${this.json ? JSON.stringify(body, null, 2) : text(body)}\n`);
  }

  /** Says something beside the result, on standard error. */
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
