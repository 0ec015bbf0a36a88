import { type DynamicModule, Module } from '@nestjs/common';

/** How long after a call the next ones are expected, ms. */
const expectedMs = 1_000;

/**
 * Work less urgent than searches: imports, and building segments. While calls arrive, one task runs at a time, in order
 * of submission, so that it takes at most one processor and leaves the others to the calls. Without calls nothing
 * waits.
 */
export class BackgroundWork {
  private last: Promise<void> = Promise.resolve();
  private urgent: Promise<void> = Promise.resolve();
  private calledAt = -Infinity;

  /** Records a client's call. */
  noteCall(): void {
    this.calledAt = performance.now();
  }

  run<Result>(piece: () => Promise<Result>): Promise<Result> {
    const result = this.inTurn(this.last, piece);
    this.last = bothEnded(this.last, result);
    return result;
  }

  /** Runs a task at once; those not yet started wait for it. */
  runNow<Result>(piece: () => Promise<Result>): Promise<Result> {
    const result = piece();
    this.urgent = bothEnded(this.urgent, result);
    return result;
  }

  private async inTurn<Result>(before: Promise<void>, piece: () => Promise<Result>): Promise<Result> {
    if (this.hasCalls) {
      await before;
      await this.urgent;
    }
    return piece();
  }

  private get hasCalls(): boolean {
    return performance.now() - this.calledAt < expectedMs;
  }
}

/** Drops their results, which every following promise would otherwise retain. */
async function bothEnded(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  await Promise.allSettled([one, other]);
}

/** Injects the URL of a compiled file in the folder `src` of the catalog: a thread runs no sources. */
export const COMPILED = Symbol('COMPILED');

/** The code URL for threads, and the queue of background work. */
@Module({})
export class ThreadsModule {
  static forRoot(compiled: string): DynamicModule {
    return {
      module: ThreadsModule,
      global: true,
      providers: [BackgroundWork, { provide: COMPILED, useValue: compiled }],
      exports: [BackgroundWork, COMPILED],
    };
  }
}
