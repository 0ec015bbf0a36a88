import { histogram } from '../metrics/metrics.js';
import { inSpan } from '../tracing/spans.js';
import { databaseCode } from './failures.js';

type RunQuery = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

const duration = histogram(
  'database_query_duration_seconds',
  'Statements of PostgreSQL, by kind and table.',
  ['query', 'outcome'],
);

/** The same, with each statement timed and, when traces are taken, a span of its own. */
export function observed(run: RunQuery): RunQuery {
  return async <Row>(sql: string, parameters?: unknown[]): Promise<Row[]> => {
    const query = queryName(sql);
    const end = duration.startTimer({ query });
    try {
      const rows = await inSpan(`sql ${query}`, { 'db.system.name': 'postgresql' }, () =>
        run<Row>(sql, parameters),
      );
      end({ outcome: 'ok' });
      return rows;
    } catch (error) {
      end({ outcome: databaseCode(error) ?? 'error' });
      throw error;
    }
  };
}

const names = new Map<string, string>();
/** More than the statements that the services have; those that are put together differ in few ways. */
const namesMax = 1_000;

const change =
  /\b(INSERT)\s+INTO\s+(\w+)|(?<!\b(?:FOR|KEY|DO)\s)\b(UPDATE)\s+(\w+)|\b(DELETE)\s+FROM\s+(\w+)/;
const reading = /^\s*(\w+)(?:[\s\S]*?\bFROM\s+(\w+))?/;

/** What a statement does first to which table, for example `insert charges`: few names, and nothing of a caller in them. */
export function queryName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const [, ...words] = change.exec(sql) ?? reading.exec(sql) ?? [];
  const name = words
    .filter((word) => word !== undefined)
    .join(' ')
    .toLowerCase();
  if (names.size < namesMax) names.set(sql, name);
  return name;
}
