import { type ChildProcess } from 'node:child_process';

/** Sends a message to a worker and resolves with its next one. Rejects when the worker ends instead. */
export function ask<Answer>(worker: ChildProcess, message: object | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const failed = (code: number | null): void => reject(new Error(`a worker ended with ${code}`));
    worker.once('exit', failed);
    worker.once('message', (answer) => {
      worker.off('exit', failed);
      resolve(answer as Answer);
    });
    worker.send(message);
  });
}
