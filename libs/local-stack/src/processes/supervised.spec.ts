import { EventEmitter, once } from 'node:events';
import { type Restartable, Supervised } from './supervised.js';

/** A fake process: only a pid. Its restart fails as often as configured. */
class ProcessOfTest implements Restartable {
  pid = 1;
  exited: Promise<void>;
  refusals = 0;
  readonly happened = new EventEmitter();

  constructor() {
    this.exited = this.untilNextExit();
  }

  kill(): void {
    this.happened.emit('exit');
  }

  restart(): Promise<void> {
    if (this.refusals > 0) {
      this.refusals -= 1;
      return Promise.reject(new Error('the port is still taken'));
    }
    this.pid += 1;
    this.exited = this.untilNextExit();
    this.happened.emit('started');
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.kill();
    return this.exited;
  }

  private async untilNextExit(): Promise<void> {
    await once(this.happened, 'exit');
  }
}

function supervise() {
  const process = new ProcessOfTest();
  const reports: string[] = [];
  const pids: number[] = [];
  const supervised = new Supervised('redis 0', process, {
    report: (text) => reports.push(text),
    changed: () => pids.push(process.pid),
  });
  return { process, supervised, reports, pids };
}

describe('a supervised process', () => {
  it('is started again within a second when it is killed, and its new pid is reported', async () => {
    const { process, supervised, pids, reports } = supervise();
    const startedAt = performance.now();
    const started = once(process.happened, 'started');
    supervised.kill('SIGKILL');
    await started;
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await supervised.stop();
    expect(pids).toEqual([2]);
    expect(reports[0]).toContain('redis 0');
  });

  it('is tried again until it starts, and each reason is reported', async () => {
    const { process, supervised, reports } = supervise();
    process.refusals = 2;
    const started = once(process.happened, 'started');
    supervised.kill('SIGKILL');
    await started;
    await supervised.stop();
    expect(reports.filter((text) => text.includes('still taken'))).toHaveLength(2);
  });

  it('stays down while it is held, and runs and is supervised again when resumed', async () => {
    const { process, supervised } = supervise();
    await supervised.hold();
    expect(process.pid).toBe(1);
    await supervised.resume();
    expect(process.pid).toBe(2);
    const started = once(process.happened, 'started');
    supervised.kill('SIGKILL');
    await started;
    expect(process.pid).toBe(3);
    await supervised.stop();
  });

  it('is not started again after it was stopped', async () => {
    const { process, supervised, pids } = supervise();
    await supervised.stop();
    expect(process.pid).toBe(1);
    expect(pids).toEqual([]);
  });
});
