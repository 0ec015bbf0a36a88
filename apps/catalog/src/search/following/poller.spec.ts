import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger } from '@app/platform';
import { Poller } from './poller.js';

const hourMs = 3_600_000;
const logger = createLogger({ service: 'catalog', level: 'silent', pretty: false });
const problem = 'not done';

/** Steps of which the first ones fail, with the times at which they began. */
class Steps {
  readonly beganAt: number[] = [];
  private readonly done = new PassThrough();

  constructor(private readonly failing: number) {}

  readonly step = async (): Promise<void> => {
    this.beganAt.push(performance.now());
    this.done.emit('began');
    await Promise.resolve();
    if (this.beganAt.length <= this.failing) throw new Error('not now');
  };

  async until(count: number): Promise<void> {
    while (this.beganAt.length < count) await once(this.done, 'began');
  }

  /** Time between one start and the next, ms; a timer may be a little early. */
  waited(index: number): number {
    return (this.beganAt[index + 1] ?? NaN) - (this.beganAt[index] ?? NaN) + 2;
  }
}

let poller: Poller;
afterEach(() => poller.stop());

it('runs at once, after every period, and when it is woken', async () => {
  const steps = new Steps(0);
  poller = new Poller(steps.step, { periodMs: 20, problem, logger });
  await steps.until(3);
  expect(steps.waited(1)).toBeGreaterThanOrEqual(20);
  await poller.stop();
  const woken = new Steps(0);
  poller = new Poller(woken.step, { periodMs: hourMs, problem, logger });
  for (let count = 1; count < 4; count++) {
    await woken.until(count);
    poller.wake();
  }
  await woken.until(4);
});

it('tries a step that fails again by itself, later and later, whatever its period and whoever wakes it', async () => {
  const steps = new Steps(3);
  const [warned, told] = [jest.spyOn(logger, 'warn'), jest.spyOn(logger, 'info')];
  poller = new Poller(steps.step, { periodMs: hourMs, retryDelaysMs: [20, 60], problem, logger });
  for (let count = 1; count <= 4; count++) {
    await steps.until(count);
    poller.wake();
  }
  // Woken while the successful step ran, it goes on at once after it.
  await steps.until(5);
  expect(steps.waited(0)).toBeGreaterThanOrEqual(20);
  expect(steps.waited(1)).toBeGreaterThanOrEqual(60);
  expect(steps.waited(2)).toBeGreaterThanOrEqual(60);
  expect(warned.mock.calls).toEqual([[{ err: new Error('not now') }, problem]]);
  expect(told.mock.calls).toEqual([[{ failures: 3, problem }, 'works again']]);
});

it('waits for its period after a failure when it has no other delays', async () => {
  const steps = new Steps(1);
  poller = new Poller(steps.step, { periodMs: 50, problem, logger });
  await steps.until(2);
  expect(steps.waited(0)).toBeGreaterThanOrEqual(50);
});

it('ends at once, also while it waits after a failure', async () => {
  const steps = new Steps(1);
  poller = new Poller(steps.step, { periodMs: hourMs, retryDelaysMs: [hourMs], problem, logger });
  await steps.until(1);
  await poller.stop();
  expect(steps.beganAt).toHaveLength(1);
});
