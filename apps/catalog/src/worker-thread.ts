import { Worker } from 'node:worker_threads';

/** Injects the URL of a compiled file in this folder: a thread runs no sources. */
export const COMPILED = Symbol('COMPILED');

interface Numbered {
  readonly id: number;
}

interface Waiting<Answer> {
  /** Whether this was the last answer. */
  take(answer: Answer): boolean;
  reject(error: Error): void;
}

interface WorkerThreadOptions {
  /** Idle time after which a thread is ended: its heap stays as large as its largest task needed. */
  readonly idleMs?: number;
  /** Keeps a thread ready, from before the first task on and after idle ones end, so that no task waits for its start. */
  readonly isReady?: boolean;
}

interface AskOptions<Answer> {
  /**
   * Whether an answer is the last one of its task; earlier answers are passed only to this function. Default: the first
   * answer is the last.
   */
  readonly isLast?: (answer: Answer) => boolean;
  /**
   * Memory of the task that is transferred instead of copied. A view takes its whole buffer along, copied or
   * transferred, so it must span the buffer.
   */
  readonly handedOver?: readonly ArrayBuffer[];
}

const idleMsDefault = 5_000;

/** A thread that answers numbered tasks; started with the first one and again whenever it has ended. */
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

  /** Resolves to the last answer. Throws when the thread ends before, and what `isLast` throws. */
  ask(makeTask: (id: number) => Task, options: AskOptions<Answer> = {}): Promise<Answer> {
    const { isLast = () => true, handedOver = [] } = options;
    if (this.isClosed) return Promise.reject(new Error('the thread has been closed'));
    if (this.idle) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const take = (answer: Answer): boolean => {
        try {
          if (!isLast(answer)) return false;
          resolve(answer);
        } catch (error) {
          // Thrown in a listener, it would end the process.
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        return true;
      };
      this.waiting.set(id, { take, reject });
      worker.postMessage(makeTask(id), handedOver);
    });
  }

  /** Tasks in progress fail. */
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
