import { setTimeout as delay } from 'node:timers/promises';

/** A process that can be started again after it ended. */
export interface Restartable {
  readonly pid: number;
  /** Resolves when the current process ends. */
  readonly exited: Promise<unknown>;
  kill(signal: NodeJS.Signals): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface SupervisionEvents {
  /** A message for the user. */
  report(text: string): void;
  /** The process has a new pid. */
  changed(): void;
}

const stableAfterMs = 3_000;
const pauseMaxMs = 1_000;
const pauseFirstMs = 100;

/**
 * Restarts a process whenever it ends by itself, as an orchestrator does: at once, then after pauses of up to a second
 * while it keeps ending.
 */
export class Supervised<Process extends Restartable = Restartable> {
  private readonly stopping = new AbortController();
  private watching: Promise<void>;
  private held = false;

  constructor(
    readonly name: string,
    readonly process: Process,
    private readonly events: SupervisionEvents,
  ) {
    this.watching = this.watch();
  }

  get pid(): number {
    return this.process.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Kills it and keeps it down until `resume`. */
  async hold(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.held = true;
    this.process.kill(signal);
    await this.watching;
  }

  async resume(): Promise<void> {
    this.held = false;
    await this.process.restart();
    this.events.changed();
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.process.stop();
    await this.watching;
    // A restart that was in progress at the call has started another process.
    await this.process.stop();
  }

  private get isOver(): boolean {
    return this.held || this.stopping.signal.aborted;
  }

  private async watch(): Promise<void> {
    let pauseMs = 0;
    for (;;) {
      const startedAt = performance.now();
      await this.process.exited;
      if (this.isOver) return;
      this.events.report(`${this.name} ended; starting it again`);
      pauseMs = performance.now() - startedAt > stableAfterMs ? 0 : nextPause(pauseMs);
      await this.startAgain(pauseMs);
      if (this.isOver) return;
    }
  }

  /** Retries, because a server may refuse to start while processes of its killed predecessor are still ending. */
  private async startAgain(firstPauseMs: number): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = nextPause(pauseMs)) {
      await this.pause(pauseMs);
      if (this.isOver) return;
      try {
        await this.process.restart();
        this.events.changed();
        return;
      } catch (error) {
        this.events.report(error instanceof Error ? error.message : String(error));
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

function nextPause(pauseMs: number): number {
  return Math.min(pauseMaxMs, Math.max(pauseFirstMs, pauseMs * 2));
}
