import { BroadcastChannel } from 'node:worker_threads';
import { WorkerThread } from './worker-thread.js';

interface Task {
  readonly id: number;
  readonly kind: 'thread' | 'crash';
  readonly bytes?: Uint8Array;
}

interface Answer {
  readonly id: number;
  readonly thread: number;
}

const script = `
  import { BroadcastChannel, parentPort, threadId } from 'node:worker_threads';
  const channel = new BroadcastChannel('started');
  channel.postMessage(threadId);
  channel.close();
  parentPort.on('message', ({ id, kind }) => {
    if (kind === 'crash') throw new Error('crashed');
    parentPort.postMessage({ id, thread: threadId });
  });`;
const file = new URL(`data:text/javascript,${encodeURIComponent(script)}`);

describe('a thread for tasks', () => {
  let thread: WorkerThread<Task, Answer>;
  const ask = async (kind: Task['kind'] = 'thread'): Promise<number> =>
    (await thread.ask((id) => ({ id, kind }))).thread;

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

  it('is reused while it has tasks', async () => {
    thread = new WorkerThread<Task, Answer>(file);
    const first = await ask();
    expect(await ask()).toBe(first);
  });

  it('is started before its first task, and again when idle, if it has to be ready', async () => {
    thread = new WorkerThread<Task, Answer>(file, { idleMs: 1, isReady: true });
    const first = await nextStarted();
    const next = nextStarted();
    expect(await ask()).toBe(first);
    const second = await next;
    expect(second).not.toBe(first);
    expect(await ask()).toBe(second);
  });

  it('gets transferred memory without a copy', async () => {
    thread = new WorkerThread<Task, Answer>(file);
    const bytes = new Uint8Array(8);
    const answer = thread.ask((id) => ({ id, kind: 'thread', bytes }), { handedOver: [bytes.buffer] });
    expect(bytes.byteLength).toBe(0);
    await answer;
  });

  it('fails the tasks of a thread that crashed, and starts another one for the next task', async () => {
    thread = new WorkerThread<Task, Answer>(file);
    const first = await ask();
    await expect(ask('crash')).rejects.toThrow('crashed');
    expect(await ask()).not.toBe(first);
  });

  it("fails a task whose answer can't be read, and continues", async () => {
    thread = new WorkerThread<Task, Answer>(file);
    const first = await ask();
    const taken = thread.ask((id) => ({ id, kind: 'thread' }), {
      isLast: () => {
        throw new Error('no memory for it');
      },
    });
    await expect(taken).rejects.toThrow('no memory for it');
    expect(await ask()).toBe(first);
  });
});
