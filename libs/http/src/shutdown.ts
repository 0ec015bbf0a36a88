import { HealthChecks, type ShutdownTimes } from '#platform';
import { Injectable } from '@nestjs/common';
import { type onSendHookHandler } from 'fastify';

/** A phase of a shutdown, named by the state at its end. */
type Phase = 'drained' | 'answered' | 'settled';

/**
 * Requests that can't be finished are aborted this long before they would be cut off, so that they still get an error.
 */
const lastWordsMs = 500;

/** The one shutdown of this process: whether it has begun, and how much time each of its phases has left. */
export class Shutdown {
  private begunAt: number | null = null;
  private readonly timeIsUp = new AbortController();

  constructor(private readonly times: ShutdownTimes) {}

  begin(): void {
    if (this.begunAt !== null) return;
    this.begunAt = performance.now();
    setTimeout(() => this.timeIsUp.abort(), Math.max(0, this.times.answeredMs - lastWordsMs)).unref();
  }

  get hasBegun(): boolean {
    return this.begunAt !== null;
  }

  /** Aborted shortly before requests still in progress are cut off. */
  get giveUp(): AbortSignal {
    return this.timeIsUp.signal;
  }

  /** Time until the end of the phase, ms, including time that earlier phases did not use. */
  msUntil(phase: Phase): number {
    if (this.begunAt === null) throw new Error('the phases of a shutdown are counted from its beginning');
    return Math.max(0, this.begunAt + this.times[`${phase}Ms`] - performance.now());
  }
}

/** A process is ready from when it listens on all of its ports until its shutdown begins. */
@Injectable()
export class Readiness {
  private isListening = false;

  constructor(health: HealthChecks, shutdown: Shutdown) {
    health.ready.started = () =>
      Promise.resolve(shutdown.hasBegun ? 'draining' : this.isListening ? null : 'starting');
  }

  listening(): void {
    this.isListening = true;
  }
}

/** `onSend`: each answer ends its connection once the shutdown has begun. */
export function closeWhenShuttingDown(shutdown: Shutdown): onSendHookHandler {
  return (_request, reply, payload, done) => {
    if (shutdown.hasBegun) void reply.header('connection', 'close');
    done(null, payload);
  };
}
