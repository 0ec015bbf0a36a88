import { type SearchDocument } from '../documents/search-document.js';
import { buildSegment } from '../segments/build-segment.js';
import { type SegmentBuilder } from '../segments/segment-builder.js';
import { type MergePart, mergeSegments } from '../segments/segment-merger.js';

interface Task {
  readonly kind: 'build' | 'merge';
  finish(): void;
  fail(): void;
}

/** Builds segments at once, as a thread works on a copy, but delivers each only on request. */
export class HeldBuilder implements SegmentBuilder {
  private readonly tasks: Task[] = [];

  /** The next build to be delivered. */
  get held(): Task | undefined {
    return this.tasks[0];
  }

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return this.hold('build', buildSegment(documents));
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return this.hold('merge', mergeSegments(parts));
  }

  /** Delivers the next segment or a failure, and resolves when the index has continued as far as it can. */
  async end(way: 'finish' | 'fail'): Promise<void> {
    this.tasks.shift()?.[way]();
    await settled();
  }

  /** Delivers segments until the index requests no more. */
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

/** Resolves when every promise that can continue has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
