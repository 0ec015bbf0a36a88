import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { ServerProcess } from '@app/local-stack';
import {
  credentialsOf,
  readUnit,
  type Unit,
  valueOf,
  variablesOf,
} from '../../../tools/deploy/systemd.fixture.js';
import { StubProgram } from './stub-program.js';

/** Of the users that systemd makes for `DynamicUser=`. */
const firstDynamicUser = 61_184;

/** A job says in its last line what it did; the reason of a failure has several. */
const isDone = /: (nothing to do|.*grants to \w+|\d+ entries, \d+ bytes)\n$/;

interface Stop {
  readonly unit: string;
  readonly tookMs: number;
  readonly log: string;
}

/**
 * Does what systemd does with our units, where systemd does not run: their command, environment, credentials, directories
 * and, as root, a user for each. Sandboxing and limits are not applied. `systemctl` is a program that asks this.
 */
export class UnitManager {
  readonly stops: Stop[] = [];
  private readonly running = new Map<string, ServerProcess>();
  private readonly users: string[] = [];
  private server: Server | undefined;
  private systemctl: StubProgram | undefined;

  /** `place` maps a path of a unit to one of this test, `ports` are variables of every unit. */
  constructor(
    private readonly root: string,
    private readonly place: (path: string) => string,
    private readonly ports: (unit: string) => Readonly<Record<string, string>>,
  ) {}

  /** The variables of a shell in which `systemctl` is ours. */
  async open(): Promise<NodeJS.ProcessEnv> {
    this.server = createServer((request, response) => {
      const words = new URL(request.url ?? '', 'http://localhost').searchParams.getAll('word');
      this.run(words).then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.server.address() as AddressInfo;
    this.systemctl = new StubProgram(
      'systemctl',
      `const query = new URLSearchParams(parameters.map((word) => ['word', word]));
       const answer = await fetch('http://127.0.0.1:${port}/?' + query);
       if (!answer.ok) { console.error(await answer.text()); return 1; }`,
    );
    return this.systemctl.environment;
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.keys()].map((unit) => this.stop(unit)));
    this.systemctl?.remove();
    this.server?.close();
  }

  logOf(unit: string): string {
    return readFileSync(this.logFile(unit), 'utf8');
  }

  /** Runs it to its end, or starts it. Rejects when a job fails. */
  async start(unit: string, variables: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const settings = readUnit(`${unit}.service`, this.place('/etc/systemd/system'));
    const process = this.spawn(unit, settings, variables);
    if (valueOf(settings, 'Type') !== 'oneshot') {
      this.running.set(unit, process);
      return process;
    }
    await process.exited;
    if (!isDone.test(this.logOf(unit))) throw new Error(this.logOf(unit));
    return process;
  }

  /** Stops it as systemd does, and notes how long it took. */
  async stop(unit: string): Promise<void> {
    const startedAt = performance.now();
    await this.running.get(unit)?.stop();
    this.running.delete(unit);
    this.stops.push({ unit, tookMs: performance.now() - startedAt, log: this.logOf(unit) });
  }

  private async run(words: readonly string[]): Promise<void> {
    const [verb = '', ...named] = words.filter((word) => !word.startsWith('--'));
    // A timer starts nothing when it is enabled.
    for (const unit of named.filter((name) => !name.endsWith('.timer'))) {
      if (verb === 'restart') await this.stop(unit);
      await this.start(unit);
    }
    if (!['daemon-reload', 'start', 'restart', 'enable'].includes(verb)) throw new Error(`systemctl ${verb}`);
  }

  private spawn(unit: string, settings: Unit, variables: Readonly<Record<string, string>>): ServerProcess {
    const [owner = unit, group = owner] = ['User', 'SupplementaryGroups'].map(
      (key) => settings.get(key)?.[0],
    );
    const user = this.userOf(owner);
    const credentials = this.copyCredentials(unit, settings, user);
    const state = this.makeState(settings, user);
    const given = Object.entries(variablesOf(settings, this.place)).map(([name, value]) => [
      name,
      this.place(value.replaceAll('%d', credentials).replaceAll('%S', state)),
    ]);
    const [command = '', ...parameters] = valueOf(settings, 'ExecStart').split(' ');
    return new ServerProcess({
      name: unit,
      command: command === 'node' ? process.execPath : command,
      parameters,
      directory: this.place(valueOf(settings, 'WorkingDirectory')),
      environment: {
        ...(Object.fromEntries(given) as Record<string, string>),
        ...this.ports(unit),
        ...variables,
      },
      // A process of Node.js has one group: the one that it shares with others.
      user: user === undefined ? {} : { uid: user, gid: this.userOf(group) ?? user },
      logFile: this.logFile(unit),
      stopSignal: 'TERM',
    });
  }

  /** The number of a user and of its group, by its name or that of its unit. Only root can be someone else. */
  userOf(name: string): number | undefined {
    if (process.getuid?.() !== 0) return undefined;
    if (!this.users.includes(name)) this.users.push(name);
    return firstDynamicUser + this.users.indexOf(name);
  }

  private copyCredentials(unit: string, settings: Unit, user?: number): string {
    const directory = join(this.root, 'credentials', unit);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    for (const [name, path] of Object.entries(credentialsOf(settings))) {
      cpSync(this.place(path), join(directory, name));
      own(join(directory, name), 0o400, user);
    }
    own(directory, 0o500, user);
    return directory;
  }

  private makeState(settings: Unit, user?: number): string {
    const parent = join(this.root, 'state');
    mkdirSync(parent, { recursive: true });
    for (const name of settings.get('StateDirectory') ?? []) {
      mkdirSync(join(parent, name), { recursive: true });
      own(join(parent, name), 0o700, user);
    }
    return parent;
  }

  private logFile(unit: string): string {
    const file = join(this.root, 'logs', `${unit}.log`);
    if (!existsSync(dirname(file))) mkdirSync(dirname(file));
    return file;
  }
}

function own(path: string, mode: number, user?: number): void {
  if (user !== undefined) chownSync(path, user, user);
  chmodSync(path, mode);
}
