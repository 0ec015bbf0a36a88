import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.js';

/** User and group to run a program as; empty: as this process. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root: root runs it as `postgres` where that user exists, else as `nobody`. */
export async function postgresUser(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody.',
  );
}

/** Whether that user can enter the directory, which requires access to all directories above it. */
export async function canEnter(directory: string, user: RunAs): Promise<boolean> {
  return (await run('test', ['-x', directory], user)).code === 0;
}

/** Where PostgreSQL keeps its data for a stack with this data directory. */
export async function postgresDirectory(dataDirectory: string): Promise<string> {
  return directoryFor(await postgresUser(), join(dataDirectory, 'postgres'));
}

/** `preferred` when the user can enter it, else a directory for the same purpose under /var/tmp. */
export async function directoryFor(user: RunAs, preferred: string): Promise<string> {
  mkdirSync(preferred, { recursive: true });
  if (await canEnter(preferred, user)) return preferred;
  const suffix = createHash('sha256').update(preferred).digest('hex').slice(0, 12);
  const fallback = join('/var/tmp', `creator-search-${suffix}`);
  mkdirSync(fallback, { recursive: true });
  if (lstatSync(fallback).uid !== process.getuid?.()) {
    throw new Error(`${fallback} belongs to another user. Remove it or name another directory.`);
  }
  chmodSync(fallback, 0o755);
  return fallback;
}
