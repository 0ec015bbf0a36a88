import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Stack } from '@app/local-stack';

const ticksPerSecond = 100;

/** CPU seconds that each part of the stack has used so far; PostgreSQL with the processes of its connections. */
export function cpuSeconds({ pids }: Pick<Stack, 'pids'>): Record<string, number> {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return Object.fromEntries(
    Object.entries(pids).map(([name, roots]) => {
      const own = children.filter((pid) => roots.includes(Number(pid)) || roots.includes(parentOf(pid)));
      return [name, own.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond];
    }),
  );
}

/** CPU milliseconds that a process has used so far. */
export function cpuMs(pid: number): number {
  return (ticksOf(String(pid)) / ticksPerSecond) * 1_000;
}

/** CPU milliseconds that a process has used so far, and those of its children that have ended. */
export function cpuMsWithEndedChildren(pid: number): number {
  const ended = fieldsOf(String(pid)).slice(13, 15);
  return cpuMs(pid) + (ended.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond) * 1_000;
}

export function childrenOf(pid: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.filter((name) => parentOf(name) === pid).map(Number);
}

/** Resident memory of a process in MB: now, and at its highest. */
export function memoryOf(pid: number): { nowMb: number; highestMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_000);
  return { nowMb: megabytes('VmRSS'), highestMb: megabytes('VmHWM') };
}

/** From now on, the highest memory of a process is that since this moment. */
export function resetHighestMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function fieldsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

function parentOf(pid: string): number {
  return Number(fieldsOf(pid)[1] ?? 0);
}

function ticksOf(pid: string): number {
  const fields = fieldsOf(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}
