import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { type Logger } from '../logging/logger.js';
import { checkDatabase } from './postgres.js';

const retryDelayMs = 250;
const patienceMs = 60_000;

/** Opens the pool; waits for a database that is merely late, and raises its last error after a minute. */
export async function connectDatabase(dataSource: DataSource, logger: Logger): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      await dataSource.initialize();
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      logger.warn({ err: error }, 'waiting for PostgreSQL');
      await delay(retryDelayMs);
    }
  }
}

/** Resolves once every migration that this code knows has been applied: the migration job may still be at work. */
export async function waitForMigrations(dataSource: DataSource, logger: Logger): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const problem = await checkDatabase(dataSource).catch(() => 'no answer from PostgreSQL');
    if (problem === null) return;
    if (isFirst) logger.warn({ problem }, 'waiting for the migrations');
    await delay(retryDelayMs);
  }
}
