import { fork } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Message {
  readonly line?: string;
  readonly ready?: boolean;
}

/** Starts the launcher as a separate process and returns once it is ready. Otherwise throws with its output. */
export async function startDetached(dataDirectory: string, parameters: readonly string[]): Promise<void> {
  mkdirSync(dataDirectory, { recursive: true });
  const logFile = join(dataDirectory, 'launcher.log');
  const log = openSync(logFile, 'w', 0o600);
  const child = fork(
    resolve('tools/start.mjs'),
    parameters.filter((parameter) => parameter !== '--detach'),
    { detached: true, stdio: ['ignore', log, log, 'ipc'] },
  );
  const abandon = (): void => {
    child.kill('SIGTERM');
  };
  process.once('SIGINT', abandon);
  process.once('SIGTERM', abandon);
  await new Promise<void>((ready, reject) => {
    child.on('message', (message: Message) => {
      if (message.line !== undefined) process.stdout.write(`${message.line}\n`);
      if (message.ready) ready();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(readFileSync(logFile, 'utf8').trimEnd())));
  });
  process.removeListener('SIGINT', abandon);
  process.removeListener('SIGTERM', abandon);
  child.disconnect();
  child.unref();
}
