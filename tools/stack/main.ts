import { join } from 'node:path';
import { startDetached } from './detached.js';
import { Launcher } from './launcher.js';
import { type LauncherOptions, parseOptions, stopLine, usage, UsageError } from './options.js';
import { explain, Report } from './report.js';
import { watchSources } from './watch.js';

const farFutureMs = 2 ** 30;
const interruptedCode = 130;

async function main(parameters: string[]): Promise<void> {
  const options = parseOptions(parameters, process.env);
  if (options === null) {
    process.stdout.write(usage);
  } else if (options.detach) {
    await startDetached(options.dataDirectory, parameters);
    process.stdout.write(`\`${stopLine(options.dataDirectory)}\` stops it.\n`);
  } else {
    await runUntilSignal(options);
  }
}

async function runUntilSignal(options: LauncherOptions): Promise<void> {
  // During the start there is no orderly stop: everything started ends with this process.
  const giveUp = (): never => process.exit(interruptedCode);
  process.once('SIGINT', giveUp);
  process.once('SIGTERM', giveUp);
  const report = new Report();
  const launcher = new Launcher(options, report);
  try {
    const stack = await launcher.start();
    report.line(launcher.summary);
    if (options.watch) watchSources(stack, report);
  } catch (error) {
    await launcher.stop();
    throw new Error(`The stack did not start; logs are in ${join(options.dataDirectory, 'logs')}`, {
      cause: error,
    });
  }
  process.removeListener('SIGINT', giveUp);
  process.removeListener('SIGTERM', giveUp);
  if (process.connected) process.send?.({ ready: true });
  else process.stdout.write('Ctrl-C stops it.\n');
  await signal();
  process.stdout.write('Stopping ...\n');
  process.once('SIGINT', giveUp);
  await launcher.stop();
  process.exit(0);
}

/** Waits for Ctrl-C or a stop request; nothing else keeps the launcher running. */
function signal(): Promise<void> {
  return new Promise((resolve) => {
    const keepAlive = setInterval(() => undefined, farFutureMs);
    const end = (): void => {
      clearInterval(keepAlive);
      resolve();
    };
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
    process.once('SIGHUP', end);
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${usage}`);
  process.exit(1);
}
