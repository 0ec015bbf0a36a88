import { type Logger } from '@app/platform';
import { type DataSource } from 'typeorm';
import { readingFrom } from '../database/query.js';
import {
  findAbandoned,
  forgetImport,
  forgetOldDeletions,
  forgetOrphanedClaims,
} from './imports.repository.js';

const periodMs = 10 * 60_000;

/** Forgets abandoned imports and old deletions every ten minutes; two replicas that do it at once do no harm. */
export function startImportSweep(dataSource: DataSource, logger: Logger): { stop(): Promise<void> } {
  let sweeping: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweepImports(dataSource).catch((error: unknown) =>
      logger.warn({ err: error }, 'abandoned imports not swept'),
    );
  }, periodMs);
  return {
    stop: () => {
      clearInterval(timer);
      return sweeping;
    },
  };
}

/** One sweep. */
export async function sweepImports(dataSource: DataSource): Promise<void> {
  const query = readingFrom(dataSource);
  for (const importId of await findAbandoned(query)) await forgetImport(query, importId);
  await forgetOrphanedClaims(query);
  await forgetOldDeletions(query);
}
