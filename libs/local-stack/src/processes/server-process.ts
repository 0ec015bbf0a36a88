import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { guardProcess } from './guardian.js';
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
  readonly stopSignal: 'TERM' | 'INT';
  /** Descriptors that the child inherits as 3, 4 ... */
  readonly descriptors?: readonly number[];
}

/** Longer than the longest shutdown of a service (`SHUTDOWN_MS`). */
const stopTimeoutMs = 30_000;
const pollMs = 20;

/**
 * One child process in a separate process group: a Ctrl-C in the terminal reaches only the launcher, which stops
 * everything in order. It never keeps this process alive and never outlives it.
 */
export class ServerProcess {
  readonly exited: Promise<void>;
  private readonly child: ChildProcess;
  private ended = false;

  constructor(private readonly options: ServerProcessOptions) {
    const log = openSync(options.logFile, 'a');
    try {
      this.child = spawn(options.command, options.parameters, {
        ...options.user,
        cwd: options.directory,
        env: options.environment,
        detached: true,
        stdio: ['ignore', log, log, ...(options.descriptors ?? [])],
      });
    } finally {
      closeSync(log);
    }
    this.child.unref();
    const release =
      this.child.pid === undefined ? () => undefined : guardProcess(this.child.pid, options.stopSignal);
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

  /** -1 when the program could not be started. */
  get pid(): number {
    return this.child.pid ?? -1;
  }

  get hasExited(): boolean {
    return this.ended;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves once `check` does; throws with the end of the log when the process ends first, or after `timeoutMs`. */
  async waitUntil(check: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!(await check())) {
      if (this.ended) throw new Error(`${this.options.name} ended while it started.\n${this.logTail()}`);
      if (performance.now() > deadline) {
        throw new Error(`${this.options.name} was not ready within ${timeoutMs} ms.\n${this.logTail()}`);
      }
      await Promise.race([delay(pollMs), this.exited]);
    }
  }

  /** The same for a GET of this URL that is answered with success. */
  waitUntilAnswered(url: string, timeoutMs: number): Promise<void> {
    const isAnswered = (): Promise<boolean> =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    return this.waitUntil(isAnswered, timeoutMs);
  }

  /** Stops it gracefully, or kills it after 30 s. */
  async stop(): Promise<void> {
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
