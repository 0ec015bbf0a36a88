import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresDirectory } from '#local-stack';

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

const fileName = 'launcher.json';

export function readLauncherState(dataDirectory: string): LauncherState {
  const path = join(dataDirectory, fileName);
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LauncherState;
  } catch {
    throw new Error(`${path} is not valid JSON. Remove it and start again.`);
  }
}

/** Merges `change` into the file, in one step. Only its owner can read it: it holds the admin token. */
export function updateLauncherState(dataDirectory: string, change: LauncherState): void {
  const path = join(dataDirectory, fileName);
  const unfinished = `${path}.${process.pid}`;
  const state = { ...readLauncherState(dataDirectory), ...change };
  writeFileSync(unfinished, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** Everything a stack creates in the data directory, except the launcher's own files. */
const createdByStack = /^(logs|postgres|redis|catalog-\d+)$/;

/**
 * Removes what earlier stacks have left in the data directory, and nothing else. Call only after claiming the
 * directory. Does nothing in a directory that no stack ever used.
 */
export async function resetDataDirectory(dataDirectory: string): Promise<void> {
  if (!existsSync(join(dataDirectory, fileName))) return;
  const made = readdirSync(dataDirectory).filter((name) => createdByStack.test(name));
  const directories = made.map((name) => join(dataDirectory, name));
  if (existsSync(join(dataDirectory, 'postgres'))) directories.push(await postgresDirectory(dataDirectory));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  // Last: it marks the directory as a stack's when this is interrupted.
  rmSync(join(dataDirectory, fileName), { force: true });
}
