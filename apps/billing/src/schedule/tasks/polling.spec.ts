import { setImmediate as turn } from 'node:timers/promises';
import { until } from '@app/testing';
import { Logger } from '@nestjs/common';
import { Polling } from './polling.js';

/** So long that nothing happens by itself. */
const pauseMs = 600_000;
const problem = 'It could not be read.';

describe('polling', () => {
  let polling: Polling | undefined;
  let looks: number;
  beforeEach(() => (looks = 0));
  afterEach(() => polling?.stop());

  /** Begins with `found` as what each look finds, and nothing after them. */
  function start(...found: number[]): Polling {
    const look = (): Promise<number> => Promise.resolve(found[looks++] ?? 0);
    polling = new Polling({ look, pauseMs, problem });
    polling.start();
    return polling;
  }

  it('looks again as long as something is found, then after a pause', async () => {
    start(3, 1);
    await until(() => looks === 3);
    await turn();
    expect(looks).toBe(3);
  });

  it('looks at once when somebody knows of something', async () => {
    const woken = start();
    await until(() => looks === 1);
    woken.wake();
    await until(() => looks === 2);
  });

  it('looks once more after a look during which somebody has known of something', async () => {
    let goOn: (found: number) => void = () => undefined;
    polling = new Polling({
      look: () => new Promise((resolve) => ((looks += 1), (goOn = resolve))),
      pauseMs,
      problem,
    });
    polling.start();
    await until(() => looks === 1);
    polling.wake();
    goOn(0);
    await until(() => looks === 2);
    goOn(0);
  });

  it('goes on after a look that has failed, which is logged', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    polling = new Polling({
      look: () => (++looks === 1 ? Promise.reject(new Error('away')) : Promise.resolve(0)),
      pauseMs: 1,
      problem,
    });
    polling.start();
    await until(() => looks > 1);
    expect(logged.mock.calls).toEqual([[expect.objectContaining({ message: problem })]]);
    logged.mockRestore();
  });

  it('does not look before it is started or after it was stopped, and waits for the look under way', async () => {
    let isOver = false;
    polling = new Polling({
      look: async () => {
        looks += 1;
        await turn();
        isOver = true;
        return 1;
      },
      pauseMs,
      problem,
    });
    polling.wake();
    await turn();
    expect(looks).toBe(0);
    polling.start();
    await until(() => looks === 1);
    await polling.stop();
    expect(isOver).toBe(true);
    const before = looks;
    polling.wake();
    await turn();
    expect(looks).toBe(before);
  });
});
