import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runningLauncher } from './data-directory.js';
import { defaultDataDirectory } from './options.js';

const stopTimeoutMs = 60_000;
const pollMs = 50;

/** Stops the launcher of the data directory and waits until it has ended. */
async function stopStack(dataDirectory: string): Promise<string> {
  const pid = runningLauncher(dataDirectory);
  if (pid === null) return `No stack is running from ${dataDirectory}.`;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + stopTimeoutMs;
  while (runningLauncher(dataDirectory) === pid) {
    if (performance.now() > deadline) throw new Error(`The launcher (process ${pid}) does not stop.`);
    await delay(pollMs);
  }
  return 'The stack has been stopped.';
}

try {
  const { values } = parseArgs({
    options: { 'data-dir': { type: 'string', default: defaultDataDirectory } },
  });
  process.stdout.write(`${await stopStack(resolve(values['data-dir']))}\n`);
} catch (error) {
  process.stderr.write(
    `${String(error)}\nUsage: npm stop -- [--data-dir DIR]   (the directory given to npm start)\n`,
  );
  process.exitCode = 1;
}
