import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresDirectory } from '../processes/unprivileged-user.js';
import { stopLine } from './options.js';

export interface DemoAccount {
  readonly account_id: string;
  readonly key_id: string;
  readonly key: string;
}

/** The launcher's state between two starts. */
export interface LauncherState {
  readonly admin_token?: string;
  /** The catalog was new and the sample has not been loaded completely yet. */
  readonly sample_pending?: boolean;
  /** Billing was new and has no demo account yet. */
  readonly demo_pending?: boolean;
  readonly demo?: DemoAccount;
}

const stateFile = 'launcher.json';
const pidFile = 'launcher.pid';
/** Everything a stack creates in the data directory, except the launcher's own files. */
const createdByStack = /^(logs|postgres|redis|catalog-\d+)$/;

export function readLauncherState(dataDirectory: string): LauncherState {
  const path = join(dataDirectory, stateFile);
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LauncherState;
  } catch {
    throw new Error(`${path} is not valid JSON. Remove it and start again.`);
  }
}

/** Merges `change` into the state. */
export function updateLauncherState(dataDirectory: string, change: LauncherState): void {
  writePrivately(join(dataDirectory, stateFile), { ...readLauncherState(dataDirectory), ...change });
}

/** Replaces a file in one step, so that a reader sees the old or the new one. Only its owner can read it. */
export function writePrivately(path: string, content: object): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/**
 * Removes what earlier stacks have left in the data directory, and nothing else. Call only after claiming the
 * directory. Does nothing in a directory that no stack ever used.
 */
export async function resetDataDirectory(dataDirectory: string): Promise<void> {
  if (!existsSync(join(dataDirectory, stateFile))) return;
  const made = readdirSync(dataDirectory).filter((name) => createdByStack.test(name));
  const directories = made.map((name) => join(dataDirectory, name));
  if (made.includes('postgres')) directories.push(await postgresDirectory(dataDirectory));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  // Last: it marks the directory as a stack's when this is interrupted.
  rmSync(join(dataDirectory, stateFile), { force: true });
}

/** Claims the data directory for this process. Throws when another launcher runs from it. */
export function claimDataDirectory(dataDirectory: string): void {
  const other = runningLauncher(dataDirectory);
  if (other !== null) {
    throw new Error(
      `A stack is already running from ${dataDirectory} (process ${other}). Stop it with \`${stopLine(dataDirectory)}\`, ` +
        'or start another one with --data-dir.',
    );
  }
  writeFileSync(join(dataDirectory, pidFile), String(process.pid));
}

export function releaseDataDirectory(dataDirectory: string): void {
  rmSync(join(dataDirectory, pidFile), { force: true });
}

/** The pid of the launcher that runs from this directory, or `null`. */
export function runningLauncher(dataDirectory: string): number | null {
  const file = join(dataDirectory, pidFile);
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return pid > 0 && pid !== process.pid && commandOf(pid).includes('start.mjs') ? pid : null;
}

/** The pid of a launcher that has ended may belong to another program by now, so the command is compared. */
function commandOf(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
