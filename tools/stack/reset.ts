import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { postgresDirectory } from '@app/local-stack';
import { hasLauncherState, removeLauncherState } from './launcher-state.js';

/** Everything a stack creates in the data directory, except the launcher's own files. */
const madeByStack = /^(logs|postgres|redis|catalog-\d+)$/;

/**
 * Removes what earlier stacks have left in the data directory, and nothing else. Call only after claiming the
 * directory. Does nothing in a directory that no stack ever used.
 */
export async function resetDataDirectory(dataDirectory: string): Promise<void> {
  if (!hasLauncherState(dataDirectory)) return;
  const made = readdirSync(dataDirectory).filter((name) => madeByStack.test(name));
  const directories = made.map((name) => join(dataDirectory, name));
  if (existsSync(join(dataDirectory, 'postgres'))) directories.push(await postgresDirectory(dataDirectory));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  // Last: it marks the directory as a stack's when this is interrupted.
  removeLauncherState(dataDirectory);
}
