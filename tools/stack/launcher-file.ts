import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopLine } from './command-lines.js';

const fileName = 'launcher.pid';

/** Claims the data directory for this process. Throws when another launcher runs from it. */
export function claimDataDirectory(dataDirectory: string): void {
  const other = runningLauncher(dataDirectory);
  if (other !== null) {
    throw new Error(
      `A stack is already running from ${dataDirectory} (process ${other}). Stop it with \`${stopLine(dataDirectory)}\`, ` +
        'or start another one with --data-dir.',
    );
  }
  writeFileSync(join(dataDirectory, fileName), String(process.pid));
}

export function releaseDataDirectory(dataDirectory: string): void {
  rmSync(join(dataDirectory, fileName), { force: true });
}

/** The pid of the launcher that runs from this directory, or `null`. */
export function runningLauncher(dataDirectory: string): number | null {
  const path = join(dataDirectory, fileName);
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
