import { type Logger } from '@app/platform';
import { type DataSource } from 'typeorm';
import { readingFrom } from '../database/query.js';
import { forgetAbandoned } from './imports.repository.js';

const periodMs = 10 * 60_000;

/** Forgets abandoned imports every ten minutes; two replicas doing it at once do no harm. */
export function startImportSweep(dataSource: DataSource, logger: Logger): { stop(): void } {
  const timer = setInterval(() => {
    forgetAbandoned(readingFrom(dataSource)).catch((error: unknown) =>
      logger.warn({ err: error }, 'abandoned imports not swept'),
    );
  }, periodMs);
  return { stop: () => clearInterval(timer) };
}
