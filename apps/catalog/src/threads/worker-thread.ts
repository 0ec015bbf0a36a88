import { Worker } from 'node:worker_threads';

interface Numbered {
  readonly id: number;
}

interface Waiting<Answer> {
  /** Whether this was the last answer. */
  take(answer: Answer): boolean;
  reject(error: Error): void;
}

interface WorkerThreadOptions {
  /** A thread without work for so long is ended: its heap is as large as the largest task that it has had. */
  readonly idleMs?: number;
  /** A thread is there before the first task, and another one in place of each that had no work: no task waits for its start. */
  readonly isReady?: boolean;
}

const idleMsDefault = 5_000;

/** A thread that answers tasks by their number, started with the first one and again whenever it has ended. */
export class WorkerThread<Task extends Numbered, Answer extends Numbered> {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting<Answer>>();
  private lastId = 0;
  private idle: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(
    private readonly file: URL,
    private readonly options: WorkerThreadOptions = {},
  ) {
    if (options.isReady) this.worker = this.start();
  }

  /**
   * Resolves to the first answer for which `isLast` holds; the ones before are handed to it alone. Raises when the thread
   * ends before.
   */
  ask(makeTask: (id: number) => Task, isLast: (answer: Answer) => boolean = () => true): Promise<Answer> {
    if (this.isClosed) return Promise.reject(new Error('the thread has been closed'));
    if (this.idle) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const take = (answer: Answer): boolean => {
        const last = isLast(answer);
        if (last) resolve(answer);
        return last;
      };
      this.waiting.set(id, { take, reject });
      worker.postMessage(makeTask(id));
    });
  }

  /** What is under way fails. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.idle) clearTimeout(this.idle);
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.file);
    worker.on('message', (answer: Answer) => this.take(answer));
    worker.on('error', (error: Error) => this.ended(worker, error));
    worker.on('exit', () => this.ended(worker, new Error('the thread ended')));
    return worker;
  }

  private take(answer: Answer): void {
    if (this.waiting.get(answer.id)?.take(answer) === true) this.waiting.delete(answer.id);
    if (this.waiting.size > 0) return;
    if (this.idle) clearTimeout(this.idle);
    this.idle = setTimeout(() => this.endIdle(), this.options.idleMs ?? idleMsDefault);
    this.idle.unref();
  }

  private endIdle(): void {
    void this.worker?.terminate();
    this.worker = this.options.isReady ? this.start() : null;
  }

  private ended(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}
