import { counter } from '#platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Exchange } from '../connections/exchange.js';
import { WorkBudget } from './work-budget.js';

interface Waiting {
  readonly networks: readonly string[];
  readonly since: number;
  readonly enter: () => void;
  readonly refuse: () => void;
}

/** What each request costs, whatever it is, ms: paid when it enters. */
export const entryMs = 0.2;
const tickMs = 20;
/** Then the client may as well come again. */
const waitMaxMs = 5_000;

const held = counter(
  'http_strangers_held_total',
  'Requests without a known key or session that waited because their network had used up its share of work.',
  ['outcome'],
);

/** Holds the requests of networks that have used up their share of work, and lets them in as the share grows again. */
@Injectable()
export class StrangerLine implements OnApplicationShutdown {
  private readonly lines = new Map<string, Set<Waiting>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly budget: WorkBudget) {}

  /** Calls one of the two, unless the client goes before. */
  wait(
    networks: readonly [string, ...string[]],
    exchange: Exchange,
    enter: () => void,
    refuse: () => void,
  ): void {
    const waiting = { networks, since: performance.now(), enter, refuse };
    const [name] = networks;
    const line = this.lines.get(name) ?? new Set();
    this.lines.set(name, line.add(waiting));
    exchange.onEnd(() => line.delete(waiting));
    this.timer ??= setInterval(() => this.tick(), tickMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const latest = performance.now() - waitMaxMs;
    for (const [name, line] of this.lines) {
      for (const waiting of line) {
        const isLate = waiting.since <= latest;
        if (!isLate && this.budget.isSpent(waiting.networks)) break;
        line.delete(waiting);
        held.inc({ outcome: isLate ? 'refused' : 'admitted' });
        this.budget.spend(waiting.networks, entryMs);
        if (isLate) waiting.refuse();
        else waiting.enter();
      }
      if (line.size === 0) this.lines.delete(name);
    }
    if (this.lines.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
