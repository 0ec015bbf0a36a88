import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** What a running stack publishes for other programs, in `stack.json` of its data directory. */
export interface StackFile {
  /** Origins, without a path. */
  readonly public_url: string;
  readonly admin_url: string;
  readonly admin_token: string;
  readonly demo_key: string | null;
  readonly redis_url: string;
  readonly catalog_database_url: string;
  readonly billing_database_url: string;
  /** Origins of the internal ports, one per replica: `/health/ready`, `/health/live`, `/metrics`. */
  readonly internal_urls: Readonly<Record<'gateway' | 'catalog' | 'billing', readonly string[]>>;
  /** Of the servers themselves; empty for an external one. */
  readonly pids: Readonly<
    Record<'gateway' | 'catalog' | 'billing' | 'redis' | 'postgres', readonly number[]>
  >;
}

/** Replaces the file atomically: a reader sees the old or the new one. Only its owner can read it. */
export function writeStackFile(path: string, content: StackFile): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

export function removeStackFile(path: string): void {
  rmSync(path, { force: true });
}
