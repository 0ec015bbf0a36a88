import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stopLine } from './options.js';

const fileName = 'launcher.pid';

/** Claims the data directory for this process. Throws when another launcher runs from it. */
export function claimDataDirectory(dataDirectory: string, pid = process.pid): void {
  assertNotRunning(dataDirectory);
  for (const file of pidFiles(dataDirectory)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, String(pid));
  }
}

/** Throws when another launcher runs from the data directory. */
export function assertNotRunning(dataDirectory: string): void {
  const other = runningLauncher(dataDirectory);
  if (other !== null) {
    throw new Error(
      `A stack is already running from ${dataDirectory} (process ${other}). Stop it with \`${stopLine(dataDirectory)}\`, ` +
        'or start another one with --data-dir.',
    );
  }
}

export function releaseDataDirectory(dataDirectory: string): void {
  for (const file of pidFiles(dataDirectory)) rmSync(file, { force: true });
}

/** The pid of the launcher that runs from this directory, or `null`. */
export function runningLauncher(dataDirectory: string): number | null {
  return (
    pidFiles(dataDirectory)
      .map(launcherIn)
      .find((pid) => pid !== null) ?? null
  );
}

/** The second one is for when the data directory has been removed under a running stack. */
function pidFiles(dataDirectory: string): string[] {
  const name = createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 16);
  return [join(dataDirectory, fileName), join('node_modules/.cache/local-stacks', `${name}.pid`)];
}

function launcherIn(path: string): number | null {
  if (!existsSync(path)) return null;
  const pid = Number(readFileSync(path, 'utf8'));
  const isOther = Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid;
  return isOther && commandOf(pid).includes('start.mjs') ? pid : null;
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
