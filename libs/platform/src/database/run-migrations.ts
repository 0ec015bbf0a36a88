import { DataSource, type DataSourceOptions } from 'typeorm';
import { createLogger } from '../logging/logger.js';
import { connectDatabase } from './connect.js';
import { migrate } from './postgres.js';

/** The migration job of a service: applies what is pending, prints it, and ends the process with 1 when it fails. */
export async function runMigrations(
  service: string,
  options: DataSourceOptions,
  afterwards: (dataSource: DataSource) => Promise<string[]> = () => Promise.resolve([]),
): Promise<void> {
  const dataSource = new DataSource(options);
  await connectDatabase(dataSource, createLogger({ service, level: 'warn', pretty: false }));
  try {
    const applied = await migrate(dataSource, () => afterwards(dataSource));
    const names = applied.length === 0 ? 'nothing to do' : applied.join(', ');
    process.stdout.write(`${service}: ${names}\n`);
  } finally {
    await dataSource.destroy();
  }
}
