import { BroadcastChannel } from 'node:worker_threads';
import { WorkerThread } from './worker-thread.js';

/** Speaks as `serveTasks` does, which can't be loaded from sources. */
const script = `
  import { BroadcastChannel, parentPort, threadId } from 'node:worker_threads';
  const channel = new BroadcastChannel('started');
  channel.postMessage(threadId);
  channel.close();
  parentPort.on('message', ({ id, name }) => {
    if (name === 'crash') throw new Error('crashed');
    if (name === 'fail') return parentPort.postMessage({ id, kind: 'failed', error: new Error('failed') });
    for (const value of [1, 2]) parentPort.postMessage({ id, kind: 'part', value });
    parentPort.postMessage({ id, kind: 'result', value: threadId });
  });`;
const file = new URL(`data:text/javascript,${encodeURIComponent(script)}`);

interface Tasks extends Record<string, (given: never, send: (part: unknown) => void) => unknown> {
  thread(bytes: Uint8Array | null, send: (part: number) => void): number;
  crash(given: null): number;
  fail(given: null): number;
}

describe('a thread for tasks', () => {
  let thread: WorkerThread<Tasks>;

  let channel: BroadcastChannel;
  /** The number of the next thread that starts. */
  const nextStarted = (): Promise<number> =>
    new Promise((resolve) => {
      channel.onmessage = (message) => resolve((message as { data: number }).data);
    });

  beforeEach(() => {
    channel = new BroadcastChannel('started');
  });
  afterEach(async () => {
    channel.close();
    await thread.close();
  });

  it('is reused while it has tasks, passes parts on, and gets transferred memory without a copy', async () => {
    thread = new WorkerThread(file);
    const parts: number[] = [];
    const first = await thread.ask('thread', null, { onPart: (part) => parts.push(part) });
    expect(parts).toEqual([1, 2]);
    const bytes = new Uint8Array(8);
    const answer = thread.ask('thread', bytes, { handedOver: [bytes.buffer] });
    expect(bytes.byteLength).toBe(0);
    expect(await answer).toBe(first);
  });

  it('is started before its first task, and again when idle, if it has to be ready', async () => {
    thread = new WorkerThread(file, { idleMs: 1, isReady: true });
    const first = await nextStarted();
    const next = nextStarted();
    expect(await thread.ask('thread', null)).toBe(first);
    const second = await next;
    expect(second).not.toBe(first);
    expect(await thread.ask('thread', null)).toBe(second);
  });

  it('fails the tasks of a thread that crashed, and starts another one for the next task', async () => {
    thread = new WorkerThread(file);
    const first = await thread.ask('thread', null);
    await expect(thread.ask('crash', null)).rejects.toThrow('crashed');
    expect(await thread.ask('thread', null)).not.toBe(first);
  });

  it("fails a task that throws, or whose part can't be taken, and continues", async () => {
    thread = new WorkerThread(file);
    const first = await thread.ask('thread', null);
    await expect(thread.ask('fail', null)).rejects.toThrow('failed');
    const onPart = () => {
      throw new Error('no memory for it');
    };
    await expect(thread.ask('thread', null, { onPart })).rejects.toThrow('no memory for it');
    expect(await thread.ask('thread', null)).toBe(first);
  });
});
