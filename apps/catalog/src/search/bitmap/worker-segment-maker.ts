import { Worker } from 'node:worker_threads';
import { type IndexedState, type IndexProgress } from './read-index.js';
import { type SearchDocument } from './search-document.js';
import { type MergePart, type SegmentMaker } from './segment-maker.js';
import { type WorkerAnswer, type WorkerTask } from './worker-messages.js';

type WithoutId<Task> = Task extends unknown ? Omit<Task, 'id'> : never;

interface Waiting {
  readonly segment?: ((buffer: SharedArrayBuffer) => void) | undefined;
  resolve(answer: WorkerAnswer): void;
  reject(error: Error): void;
}

/** A thread without work is ended: its heap is as large as the largest segment that it has made. */
const idleMs = 5_000;

/** Makes segments in a thread of its own, started with the first task and again whenever it has ended. */
export class WorkerSegmentMaker implements SegmentMaker {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private idle: NodeJS.Timeout | null = null;

  constructor(
    private readonly file: URL,
    private readonly databaseUrl: string,
  ) {}

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return this.make({ kind: 'build', documents });
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return this.make({ kind: 'merge', parts });
  }

  async read(progress: IndexProgress): Promise<IndexedState> {
    const task = { kind: 'read', databaseUrl: this.databaseUrl } as const;
    const answer = await this.ask(task, (buffer) => progress.segment(buffer));
    if (answer.kind !== 'read') throw new Error('the index was not read');
    return answer.state;
  }

  async close(): Promise<void> {
    if (this.idle) clearTimeout(this.idle);
    await this.worker?.terminate();
  }

  private async make(task: WithoutId<WorkerTask>): Promise<SharedArrayBuffer> {
    const answer = await this.ask(task);
    if (answer.kind !== 'made') throw new Error('no segment was made');
    return answer.segment;
  }

  private ask(
    task: WithoutId<WorkerTask>,
    segment?: (buffer: SharedArrayBuffer) => void,
  ): Promise<WorkerAnswer> {
    if (this.idle) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { segment, resolve, reject });
      worker.postMessage({ id, ...task });
    });
  }

  private start(): Worker {
    const worker = new Worker(this.file);
    worker.on('message', (answer: WorkerAnswer) => this.take(answer));
    worker.on('error', (error: Error) => this.ended(worker, error));
    worker.on('exit', () => this.ended(worker, new Error('the thread that makes segments ended')));
    return worker;
  }

  private take(answer: WorkerAnswer): void {
    const waiting = this.waiting.get(answer.id);
    if (answer.kind === 'segment') {
      waiting?.segment?.(answer.segment);
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.kind === 'failed') waiting?.reject(answer.error);
    else waiting?.resolve(answer);
    if (this.waiting.size > 0) return;
    this.idle = setTimeout(() => void this.worker?.terminate(), idleMs);
    this.idle.unref();
  }

  private ended(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}
