import { parentPort, Worker } from 'node:worker_threads';

/** Injects the URL of a compiled file in this folder: a thread runs no sources. */
export const COMPILED = Symbol('COMPILED');

/** One thing that a thread can do. Besides its result it may send parts, as soon as it has them. */
type Task<Given, Part, Result> = (given: Given, send: (part: Part) => void) => Result | Promise<Result>;
/** What a thread can do, by name. */
type Tasks = Readonly<Record<string, Task<never, unknown, unknown>>>;

type GivenOf<One> = One extends (given: infer Given, ...rest: never) => unknown ? Given : never;
type PartOf<One> = One extends (given: never, send: (part: infer Part) => void) => unknown ? Part : never;
type ResultOf<One extends Task<never, unknown, unknown>> = Awaited<ReturnType<One>>;

interface Request {
  readonly id: number;
  readonly name: string;
  readonly given: unknown;
}

type Answer = { readonly id: number } & (
  | { readonly kind: 'part' | 'result'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: Error }
);

/** In a thread: runs the tasks that it is asked for. `handOver` names memory of a result to be transferred, not copied. */
export function serveTasks(tasks: Tasks, handOver: (result: never) => ArrayBuffer[] = () => []): void {
  const answer = (message: Answer, memory: ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, memory);
  const serve = async ({ id, name, given }: Request): Promise<void> => {
    try {
      const task = tasks[name];
      if (!task) throw new Error(`a thread without the task ${name}`);
      const value = await task(given as never, (part) => answer({ id, kind: 'part', value: part }));
      answer({ id, kind: 'result', value }, handOver(value as never));
    } catch (error) {
      answer({ id, kind: 'failed', error: asError(error) });
    }
  };
  parentPort?.on('message', (request: Request) => void serve(request));
}

interface AskOptions<Part> {
  readonly onPart?: (part: Part) => void;
  /**
   * Memory of the task that is transferred instead of copied. A view takes its whole buffer along, copied or
   * transferred, so it must span the buffer.
   */
  readonly handedOver?: readonly ArrayBuffer[];
}

interface Waiting {
  onPart(part: unknown): void;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Idle time after which a thread is ended: its heap stays as large as its largest task needed. */
const idleMs = 5_000;

/** A thread with these tasks; started with the first one and again whenever it has ended, which takes 0.1 s. */
export class WorkerThread<Offered extends Tasks> {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private idle: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(private readonly file: URL) {}

  /** Resolves to the result. Throws what the task throws, when the thread ends before, and what `onPart` throws. */
  async ask<Name extends keyof Offered & string>(
    name: Name,
    given: GivenOf<Offered[Name]>,
    { onPart = () => undefined, handedOver = [] }: AskOptions<PartOf<Offered[Name]>> = {},
  ): Promise<ResultOf<Offered[Name]>> {
    if (this.isClosed) throw new Error('the thread has been closed');
    if (this.idle) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    const id = (this.lastId += 1);
    const result = await new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { onPart: (part) => onPart(part as PartOf<Offered[Name]>), resolve, reject });
      worker.postMessage({ id, name, given } satisfies Request, handedOver);
    });
    return result as ResultOf<Offered[Name]>;
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
    const waiting = this.waiting.get(answer.id);
    try {
      if (answer.kind === 'part') return waiting?.onPart(answer.value);
      if (answer.kind === 'failed') waiting?.reject(answer.error);
      else waiting?.resolve(answer.value);
    } catch (error) {
      // Thrown in a listener, it would end the process.
      waiting?.reject(asError(error));
    }
    this.waiting.delete(answer.id);
    if (this.waiting.size > 0) return;
    if (this.idle) clearTimeout(this.idle);
    this.idle = setTimeout(() => this.endIdle(), idleMs);
    this.idle.unref();
  }

  private endIdle(): void {
    void this.worker?.terminate();
    this.worker = null;
  }

  private ended(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
