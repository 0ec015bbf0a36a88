import { readdirSync, readFileSync } from 'node:fs';

/** The process and everything it started: PostgreSQL serves each connection by a process of its own. */
export function processTree(root: number): number[] {
  const parents = new Map(processes().map(({ pid, parent }) => [pid, parent]));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
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

function processes(): { pid: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // After the name in brackets, which may hold anything: state, parent.
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return [];
      }
    });
}
