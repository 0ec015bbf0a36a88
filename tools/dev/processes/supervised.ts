import { setTimeout as delay } from 'node:timers/promises';
import { type ServerProcess } from './server-process.js';

export interface SupervisionEvents {
  /** Called when the process ended and is being restarted. */
  readonly onEvent?: (text: string) => void;
  /** Called when the process has a new pid. */
  readonly onChange?: () => void;
}

const stableAfterMs = 3_000;
const pauseMaxMs = 1_000;
const pauseFirstMs = 100;

/**
 * Restarts a process whenever it ends by itself, as an orchestrator does: at once, then after pauses of up to a second
 * while it keeps ending.
 */
export class Supervised<Process extends ServerProcess = ServerProcess> {
  private stopping = new AbortController();
  private watching: Promise<void>;

  constructor(
    readonly process: Process,
    private readonly events: SupervisionEvents,
  ) {
    this.watching = this.watch(this.stopping.signal);
  }

  get pid(): number {
    return this.process.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Stops it gracefully and starts it again; resolves once it is ready. */
  async restart(): Promise<void> {
    await this.stop();
    this.stopping = new AbortController();
    await this.process.restart();
    this.events.onChange?.();
    this.watching = this.watch(this.stopping.signal);
    await this.process.waitUntilReady();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.process.stop();
    await this.watching;
    // A restart that was in progress at the call has started another process.
    await this.process.stop();
  }

  /** Retries, because a server may refuse to start while processes of its killed predecessor are still ending. */
  private async watch(signal: AbortSignal): Promise<void> {
    let pauseMs = 0;
    for (;;) {
      const startedAt = performance.now();
      await this.process.exited;
      if (signal.aborted) return;
      this.events.onEvent?.(`${this.process.name} ended; starting it again`);
      const wasStable = performance.now() - startedAt > stableAfterMs;
      pauseMs = wasStable ? 0 : Math.min(pauseMaxMs, Math.max(pauseFirstMs, pauseMs * 2));
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.process.restart();
      } catch (error) {
        this.events.onEvent?.(error instanceof Error ? error.message : String(error));
      }
      this.events.onChange?.();
    }
  }
}
