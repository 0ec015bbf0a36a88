import { WorkerThread } from './worker-thread.js';

/** Speaks as `serveTasks` does, which can't be loaded from sources. */
const script = `
  import { parentPort, threadId } from 'node:worker_threads';
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

  beforeEach(() => (thread = new WorkerThread(file)));
  afterEach(() => thread.close());

  it('is reused while it has tasks, passes parts on, and gets transferred memory without a copy', async () => {
    const parts: number[] = [];
    const first = await thread.ask('thread', null, { onPart: (part) => parts.push(part) });
    expect(parts).toEqual([1, 2]);
    const bytes = new Uint8Array(8);
    const answer = thread.ask('thread', bytes, { handedOver: [bytes.buffer] });
    expect(bytes.byteLength).toBe(0);
    expect(await answer).toBe(first);
  });

  it('fails the tasks of a thread that crashed, and starts another one for the next task', async () => {
    const first = await thread.ask('thread', null);
    await expect(thread.ask('crash', null)).rejects.toThrow('crashed');
    expect(await thread.ask('thread', null)).not.toBe(first);
  });

  it("fails a task that throws, or whose part can't be taken, and continues", async () => {
    const first = await thread.ask('thread', null);
    await expect(thread.ask('fail', null)).rejects.toThrow('failed');
    const onPart = () => {
      throw new Error('no memory for it');
    };
    await expect(thread.ask('thread', null, { onPart })).rejects.toThrow('no memory for it');
    expect(await thread.ask('thread', null)).toBe(first);
  });
});
