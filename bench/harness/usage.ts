import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from '#dev';

const ticksPerSecond = 100;

/** CPU milliseconds that a process and its children have used, those of its ended children too. Reads Linux's /proc. */
export function cpuMs(root: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = processes.filter((pid) => Number(pid) === root || Number(fieldsOf(pid)[1]) === root);
  return (own.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond) * 1_000;
}

/** User and system time of the process itself and of its children that have ended. */
function ticksOf(pid: string): number {
  return fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** The fields of `/proc/PID/stat` after the name; none for a process that has ended. */
function fieldsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** Bytes of write-ahead log that the server of a database has written. */
export async function walBytes(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`,
    );
    return rows[0]?.bytes ?? 0;
  });
}
