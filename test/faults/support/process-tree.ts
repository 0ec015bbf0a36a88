import { readFileSync } from 'node:fs';

/** The process and everything it started: PostgreSQL serves each connection by a process of its own. */
function processTree(root: number): number[] {
  try {
    const children = readFileSync(`/proc/${root}/task/${root}/children`, 'utf8').match(/\d+/g) ?? [];
    return [root, ...children.flatMap((child) => processTree(Number(child)))];
  } catch {
    return [];
  }
}

/** Signals the whole tree; a process that has ended meanwhile needs no signal. */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  for (const pid of processTree(root)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
