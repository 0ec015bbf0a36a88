import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { postgresDirectory } from '@app/local-stack';
import { hasLauncherState, removeLauncherState } from './launcher-state.js';

/** Everything below the data directory that a stack makes, but for the launcher's own files. */
const madeByStack = /^(logs|postgres|redis|catalog-\d+)$/;

/**
 * Removes what earlier stacks have left in the data directory, and nothing else. Only for whoever has claimed the directory. Does
 * nothing in a directory from which no stack ever ran.
 */
export async function resetDataDirectory(dataDirectory: string): Promise<void> {
  if (!hasLauncherState(dataDirectory)) return;
  const made = readdirSync(dataDirectory).filter((name) => madeByStack.test(name));
  const directories = made.map((name) => join(dataDirectory, name));
  if (existsSync(join(dataDirectory, 'postgres'))) directories.push(await postgresDirectory(dataDirectory));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  // Last: it is the mark by which the directory is known when this is interrupted.
  removeLauncherState(dataDirectory);
}
