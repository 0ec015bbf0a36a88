import { EventEmitter, once } from 'node:events';
import { type Restartable, Supervised } from './supervised.js';

/** A process with only a pid, whose restart fails as often as `refusals` says. */
class FakeProcess implements Restartable {
  pid = 1;
  exited: Promise<unknown>;
  refusals = 0;
  readonly events = new EventEmitter();

  constructor() {
    this.exited = once(this.events, 'exit');
  }

  kill(): void {
    this.events.emit('exit');
  }

  restart(): Promise<void> {
    if (this.refusals-- > 0) return Promise.reject(new Error('the port is still taken'));
    this.pid += 1;
    this.exited = once(this.events, 'exit');
    this.events.emit('started');
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.kill();
    await this.exited;
  }
}

function supervise(refusals = 0) {
  const process = Object.assign(new FakeProcess(), { refusals });
  const reports: string[] = [];
  const pids: number[] = [];
  const supervised = new Supervised('redis 0', process, {
    report: (text) => reports.push(text),
    changed: () => pids.push(process.pid),
  });
  const killAndAwait = async (): Promise<void> => {
    const started = once(process.events, 'started');
    supervised.kill('SIGKILL');
    await started;
  };
  return { process, supervised, reports, pids, killAndAwait };
}

describe('a supervised process', () => {
  it('is started again within a second when it is killed, and tried again until it starts; each reason is reported', async () => {
    const { supervised, pids, reports, killAndAwait } = supervise(2);
    const startedAt = performance.now();
    await killAndAwait();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await supervised.stop();
    expect(pids).toEqual([2]);
    expect(reports).toEqual([
      'redis 0 ended; starting it again',
      ...Array<string>(2).fill('the port is still taken'),
    ]);
  });

  it('stays down while it is held, and runs and is supervised again when resumed', async () => {
    const { process, supervised, killAndAwait } = supervise();
    await supervised.hold();
    expect(process.pid).toBe(1);
    await supervised.resume();
    await killAndAwait();
    expect(process.pid).toBe(3);
    await supervised.stop();
  });
});
