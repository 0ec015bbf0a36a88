import { fork, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { compilerCommand } from '../../bootstrap/build.mjs';
import { guardProcess } from '../processes/guardian.js';
import { serviceNames } from '../stack/service-replica.js';
import { type Stack } from '../stack/stack.js';
import { Launcher, reportEvent } from './launcher.js';
import { type LauncherOptions, parseOptions, stopLine, usage, UsageError } from './options.js';

interface Message {
  readonly line?: string;
  readonly ready?: boolean;
}

const farFutureMs = 2 ** 30;
const interruptedCode = 130;

async function main(args: string[]): Promise<void> {
  const options = parseOptions(args, process.env);
  if (options === null) {
    process.stdout.write(usage);
  } else if (options.detach) {
    await startDetached(options.dataDirectory, args);
    process.stdout.write(`\`${stopLine(options.dataDirectory)}\` stops it.\n`);
  } else {
    await runUntilSignal(options);
  }
}

/** Starts the launcher as a separate process and returns once it is ready. Otherwise throws with its output. */
async function startDetached(dataDirectory: string, args: readonly string[]): Promise<void> {
  mkdirSync(dataDirectory, { recursive: true });
  const logFile = join(dataDirectory, 'launcher.log');
  const log = openSync(logFile, 'w', 0o600);
  const child = fork(
    resolve('tools/start.mjs'),
    args.filter((argument) => argument !== '--detach'),
    { detached: true, stdio: ['ignore', log, log, 'ipc'] },
  );
  const abandon = (): boolean => child.kill('SIGTERM');
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

async function runUntilSignal(options: LauncherOptions): Promise<void> {
  // During the start there is no orderly stop: everything started ends with this process.
  const exitInterrupted = (): never => process.exit(interruptedCode);
  process.once('SIGINT', exitInterrupted);
  process.once('SIGTERM', exitInterrupted);
  const launcher = new Launcher(options);
  try {
    const stack = await launcher.start();
    if (options.watch) restartWhenSourcesChange(stack);
  } catch (cause) {
    await launcher.stop();
    throw new Error(`The stack did not start; logs are in ${join(options.dataDirectory, 'logs')}`, { cause });
  }
  process.removeListener('SIGINT', exitInterrupted);
  process.removeListener('SIGTERM', exitInterrupted);
  if (process.connected) process.send?.({ ready: true });
  else process.stdout.write('Ctrl-C stops it.\n');
  await signal();
  process.stdout.write('Stopping ...\n');
  process.once('SIGINT', exitInterrupted);
  await launcher.stop();
  process.exit(0);
}

/** Waits for Ctrl-C or a stop request; nothing else keeps the launcher running. */
function signal(): Promise<void> {
  return new Promise((resolve) => {
    setInterval(() => undefined, farFutureMs);
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve());
  });
}

/** Lets the compiler watch the sources, and restarts the services after each build without an error but the first. */
function restartWhenSourcesChange(stack: Stack): void {
  const [command, ...parameters] = compilerCommand('tsconfig.build.json');
  const compiler = spawn(command, [...parameters, '--watch', '--preserveWatchOutput'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  // With all of its process group: it may be a wrapper.
  if (compiler.pid !== undefined) guardProcess(-compiler.pid, 'TERM');
  let restarting: Promise<void> | undefined;
  createInterface(compiler.stdout).on('line', (line) => {
    if (line.includes('error TS')) reportEvent(line);
    if (!line.includes('Found 0 errors')) return;
    restarting = restarting ? restarting.then(() => restart(stack)) : Promise.resolve();
  });
}

async function restart(stack: Stack): Promise<void> {
  try {
    for (const service of serviceNames) await stack.restartService(service);
    reportEvent('services restarted');
  } catch (error) {
    reportEvent(explain(error));
  }
}

/** The message of an error, with those of its causes. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n${explain(error.cause)}`;
  // When several addresses refuse a connection, the error has no message.
  const message =
    error.message || (error instanceof AggregateError ? error.errors.map(explain).join('\n') : '');
  return `${message || error.name}${cause}`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${usage}`);
  process.exit(1);
}
