import { readFileSync } from 'node:fs';
import { type JsonSchema } from '#contracts';

export interface DescribedMessage {
  readonly queue: string;
  readonly deadline_ms: number;
  readonly resend_after_ms: number | null;
  readonly payload: JsonSchema;
  readonly reply: JsonSchema;
}

/** What the services of one version say to each other. */
export interface ContractsSnapshot {
  readonly revision: number;
  readonly errors: readonly string[];
  /** Messages by pattern. */
  readonly messages: Readonly<Record<string, DescribedMessage>>;
  /** Broadcasts by event. */
  readonly broadcasts: Readonly<Record<string, { readonly payload: JsonSchema }>>;
}

/** Snapshot of this version; `npm run docs` writes it. */
export const snapshotFile = 'libs/contracts/contracts.json';

/** Snapshot of a release. */
export function releasedSnapshotFile(version: string): string {
  return `libs/contracts/released/${version}.json`;
}

export function readSnapshot(file = snapshotFile): ContractsSnapshot {
  return JSON.parse(readFileSync(file, 'utf8')) as ContractsSnapshot;
}
