import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createLogger } from '../logger.js';
import { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';

const hourMs = 3_600_000;
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const problem = 'not done';

/** Runs of which the first ones fail, with the times at which they began. */
class Runs {
  readonly beganAt: number[] = [];
  private readonly events = new PassThrough();

  constructor(private readonly failing = 0) {}

  readonly run = async (): Promise<void> => {
    this.beganAt.push(performance.now());
    this.events.emit('began');
    await Promise.resolve();
    if (this.beganAt.length <= this.failing) throw new Error('not now');
  };

  async until(count: number): Promise<void> {
    while (this.beganAt.length < count) await once(this.events, 'began');
  }

  /** Time between one start and the next, ms; a timer may be a little early. */
  waited(index: number): number {
    return (this.beganAt[index + 1] ?? NaN) - (this.beganAt[index] ?? NaN) + 2;
  }
}

let task: PeriodicTask;
afterEach(() => task.stop());

function start(options: Pick<PeriodicTaskOptions, 'run'> & Partial<PeriodicTaskOptions>): PeriodicTask {
  task = new PeriodicTask({ intervalMs: hourMs, problem, logger, ...options });
  task.start();
  return task;
}

it('a task runs at once, after every interval, and when asked', async () => {
  const runs = new Runs();
  start({ run: runs.run, intervalMs: 20 });
  await runs.until(3);
  expect(runs.waited(1)).toBeGreaterThanOrEqual(20);
  await task.stop();
  const asked = new Runs();
  start({ run: asked.run });
  for (let count = 1; count < 4; count++) {
    await asked.until(count);
    task.runNow();
  }
  await asked.until(4);
});

it('a failed run is repeated with growing delays, even when asked to run', async () => {
  const runs = new Runs(3);
  const [warned, informed] = [jest.spyOn(logger, 'warn'), jest.spyOn(logger, 'info')];
  start({ run: runs.run, retryDelaysMs: [20, 60] });
  for (let count = 1; count <= 4; count++) {
    await runs.until(count);
    task.runNow();
  }
  // Asked for during the successful run, the next one begins at once after it.
  await runs.until(5);
  expect(runs.waited(0)).toBeGreaterThanOrEqual(20);
  expect(runs.waited(1)).toBeGreaterThanOrEqual(60);
  expect(runs.waited(2)).toBeGreaterThanOrEqual(60);
  expect(warned.mock.calls).toEqual([[{ err: new Error('not now') }, problem]]);
  expect(informed.mock.calls).toEqual([[{ failures: 3, problem }, 'works again']]);
});

it('a task runs again at once while there is more to do', async () => {
  const left = [true, true, false];
  const runs = new Runs();
  start({ run: () => runs.run().then(() => left.shift()) });
  await runs.until(3);
  await turn();
  expect(runs.beganAt).toHaveLength(3);
});

it('a task waits for its current run when it stops, does not run before it starts, and can be restarted', async () => {
  let ended = 0;
  const run = async (signal: AbortSignal): Promise<boolean> => {
    if (!signal.aborted) await once(signal, 'abort');
    ended += 1;
    return true;
  };
  task = new PeriodicTask({ run, intervalMs: hourMs, problem, logger });
  task.runNow();
  await turn();
  expect(ended).toBe(0);
  for (const count of [1, 2]) {
    task.onApplicationBootstrap();
    task.start();
    await task.beforeApplicationShutdown();
    expect(ended).toBe(count);
  }
});
