import { type SearchDocument } from '../documents/search-document.js';
import { buildSegment } from '../segments/build-segment.js';
import { type MergePart, mergeSegments } from '../segments/segment-merger.js';
import { type SegmentBuilder } from './segment-builder.js';

interface Task {
  readonly kind: 'build' | 'merge';
  finish(): void;
  fail(): void;
}

/** Makes segments of what it is given at once, as a thread gets a copy, but hands each over only when it is told to. */
export class HeldBuilder implements SegmentBuilder {
  private readonly tasks: Task[] = [];

  /** What is waiting to be handed over. */
  get held(): Task | undefined {
    return this.tasks[0];
  }

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return this.hold('build', buildSegment(documents));
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return this.hold('merge', mergeSegments(parts));
  }

  /** Hands the next segment over, or fails to make it, and resolves when the index has gone on as far as it can. */
  async end(way: 'finish' | 'fail'): Promise<void> {
    this.tasks.shift()?.[way]();
    await settled();
  }

  /** Hands segments over until the index asks for no more. */
  async endAll(): Promise<void> {
    await settled();
    while (this.held) await this.end('finish');
  }

  private hold(kind: Task['kind'], segment: SharedArrayBuffer): Promise<SharedArrayBuffer> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`the ${kind} failed on purpose`));
      this.tasks.push({ kind, finish: () => resolve(segment), fail });
    });
  }
}

/** Resolves when every promise that could go on has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
