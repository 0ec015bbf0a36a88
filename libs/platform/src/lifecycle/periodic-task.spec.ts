import { once } from 'node:events';
import { until } from '#testing';
import { createLogger } from '../logger.js';
import { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';

const hourMs = 3_600_000;
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const problem = 'not done';

let task: PeriodicTask;
let beganAt: number[];
beforeEach(() => (beganAt = []));
afterEach(() => task.stop());

/** Starts a task whose runs end like this in turn, and the others well. */
function start(options: Partial<PeriodicTaskOptions>, ends: ('fails' | 'has more to do')[] = []): void {
  const run = async (): Promise<boolean> => {
    const end = ends[beganAt.push(performance.now()) - 1];
    await Promise.resolve();
    if (end === 'fails') throw new Error('not now');
    return end === 'has more to do';
  };
  task = new PeriodicTask({ run, intervalMs: hourMs, problem, logger, ...options });
  task.start();
}

const runs = (count: number) => until(() => beganAt.length === count);

/** Time between one start and the next, ms; a timer may be a little early. */
const waited = (index: number) => (beganAt[index + 1] ?? NaN) - (beganAt[index] ?? NaN) + 2;

it('a task runs at once, again at once while there is more to do, after every interval, and when asked', async () => {
  start({ intervalMs: 50 }, ['has more to do']);
  await until(() => beganAt.length >= 3);
  expect(waited(0)).toBeLessThan(50);
  expect(waited(1)).toBeGreaterThanOrEqual(50);
  await task.stop();
  beganAt = [];
  start({});
  for (let count = 1; count < 4; count++) {
    await runs(count);
    task.runNow();
  }
  await runs(4);
});

it('a failed run is repeated with growing delays, even when asked to run', async () => {
  const [warned, informed] = [jest.spyOn(logger, 'warn'), jest.spyOn(logger, 'info')];
  start({ retryDelaysMs: [20, 60] }, ['fails', 'fails', 'fails']);
  for (let count = 1; count <= 4; count++) {
    await runs(count);
    task.runNow();
  }
  expect(waited(0)).toBeGreaterThanOrEqual(20);
  expect(waited(1)).toBeGreaterThanOrEqual(60);
  expect(waited(2)).toBeGreaterThanOrEqual(60);
  expect(warned.mock.calls).toEqual([[{ err: new Error('not now') }, problem]]);
  expect(informed.mock.calls).toEqual([[{ failures: 3, problem }, 'works again']]);
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
  for (const count of [1, 2]) {
    task.onApplicationBootstrap();
    task.start();
    await task.beforeApplicationShutdown();
    expect(ended).toBe(count);
  }
});
