import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type LoadResult, type Order } from './load.js';

/** The process that makes the load. */
export class LoadGenerator {
  private readonly child: ChildProcess = fork(fileURLToPath(new URL('./generator.js', import.meta.url)));

  /** Plays one load to its end. Throws when the process ends instead. */
  async play(order: Order): Promise<LoadResult> {
    this.child.send(order);
    const ended = new AbortController();
    const { signal } = ended;
    try {
      return await Promise.race([
        once(this.child, 'message', { signal }).then(([result]) => result as LoadResult),
        once(this.child, 'exit', { signal }).then(([code]) => {
          throw new Error(`the load generator ended with ${String(code)}`);
        }),
      ]);
    } finally {
      ended.abort();
    }
  }

  stop(): void {
    this.child.kill();
  }
}
