import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Whether a launcher has ever run from the directory. */
export function hasLauncherState(dataDirectory: string): boolean {
  return existsSync(join(dataDirectory, fileName));
}

export function removeLauncherState(dataDirectory: string): void {
  rmSync(join(dataDirectory, fileName), { force: true });
}

/** Merges `change` into the file, in one step. Only its owner can read it: it holds the admin token. */
export function updateLauncherState(dataDirectory: string, change: LauncherState): void {
  const path = join(dataDirectory, fileName);
  const unfinished = `${path}.${process.pid}`;
  const state = { ...readLauncherState(dataDirectory), ...change };
  writeFileSync(unfinished, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}
