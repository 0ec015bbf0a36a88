import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { guardDirectory, guardProcess } from './guardian.js';
import { tail } from './run.js';
import { type RunAs } from './unprivileged-user.js';

export interface ServerProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
  readonly user?: RunAs;
  /** Both streams are appended here. */
  readonly logFile: string;
  /** The signal that makes this program shut down gracefully. */
  readonly stopSignal: 'TERM' | 'INT' | 'QUIT';
  /** Descriptors that the child inherits as 3, 4 ... */
  readonly descriptors?: readonly number[];
  /** Removed by `stop`, and when this process ends. */
  readonly temporaryDirectory?: string;
  /** What `restart` waits for; default: nothing. */
  readonly isReady?: (pid: number) => boolean | Promise<boolean>;
}

/** Longer than the longest shutdown of a service (`SHUTDOWN_MS`). */
const stopTimeoutMs = 30_000;
const readyTimeoutMs = 60_000;
const pollMs = 20;

/**
 * One child process in a separate process group: a Ctrl-C in the terminal reaches only the launcher, which stops
 * everything in order. It never keeps this process alive and never outlives it.
 */
export class ServerProcess {
  /** Resolves when the current process ends. */
  exited: Promise<void>;
  private child: ChildProcess;
  private ended: boolean;

  constructor(protected readonly options: ServerProcessOptions) {
    if (options.temporaryDirectory !== undefined) guardDirectory(options.temporaryDirectory);
    this.launch();
  }

  get name(): string {
    return this.options.name;
  }

  /** -1 when the program could not be started. */
  get pid(): number {
    return this.child.pid ?? -1;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves once it is ready; throws with the end of the log when the process ends first, or after a minute. */
  async waitUntilReady(): Promise<void> {
    const { name, isReady } = this.options;
    const deadline = performance.now() + readyTimeoutMs;
    while (isReady && !(await isReady(this.pid))) {
      if (this.ended) throw new Error(`${name} ended while it started.\n${this.logTail()}`);
      if (performance.now() > deadline) {
        throw new Error(`${name} was not ready within ${readyTimeoutMs} ms.\n${this.logTail()}`);
      }
      await Promise.race([delay(pollMs), this.exited]);
    }
  }

  /** Starts it again, with the same options; throws like `waitUntilReady`. */
  async restart(): Promise<void> {
    await this.end();
    this.launch();
    await this.waitUntilReady();
  }

  /** Stops it gracefully, or kills it after 30 s. */
  async stop(): Promise<void> {
    await this.end();
    const { temporaryDirectory } = this.options;
    if (temporaryDirectory !== undefined) rmSync(temporaryDirectory, { recursive: true, force: true });
  }

  protected launch(): void {
    const {
      command,
      parameters,
      environment,
      directory,
      user,
      logFile,
      stopSignal,
      descriptors = [],
    } = this.options;
    const log = openSync(logFile, 'a');
    try {
      this.child = spawn(command, parameters, {
        ...user,
        cwd: directory,
        env: environment,
        detached: true,
        stdio: ['ignore', log, log, ...descriptors],
      });
    } finally {
      closeSync(log);
    }
    this.child.unref();
    this.ended = false;
    const release = this.child.pid === undefined ? () => undefined : guardProcess(this.child.pid, stopSignal);
    this.exited = new Promise((resolve) => {
      const end = (): void => {
        this.ended = true;
        release();
        resolve();
      };
      this.child.once('exit', end);
      this.child.once('error', end);
    });
  }

  protected async end(): Promise<void> {
    if (this.ended) return;
    this.kill(`SIG${this.options.stopSignal}`);
    // A paused process must run to handle the signal.
    this.kill('SIGCONT');
    const timer = setTimeout(() => this.kill('SIGKILL'), stopTimeoutMs);
    await this.exited;
    clearTimeout(timer);
  }

  private logTail(): string {
    return `The end of ${this.options.logFile}:\n${tail(readFileSync(this.options.logFile, 'utf8'))}`;
  }
}

/** Whether a GET of this URL is answered with success. */
export function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
