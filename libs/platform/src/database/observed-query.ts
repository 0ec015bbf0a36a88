import { type EntitySubscriberInterface, EventSubscriber, type QueryRunner } from 'typeorm';
import { histogram } from '../metrics.js';
import { inSpan, openSpan } from '../tracing.js';
import { databaseCode } from './failures.js';
import { type Query, type StatementName } from './query.js';

const duration = histogram('database_query_duration_seconds', 'Duration of PostgreSQL statements, by name.', [
  'query',
  'outcome',
]);
const attributes = { 'db.system.name': 'postgresql' };

/** Wraps a `Query` so that each statement is timed and, when tracing is on, recorded as a span. */
export function observed(run: Query): Query {
  return async <Row>(name: StatementName, sql: string, parameters?: unknown[]): Promise<Row[]> => {
    const end = duration.startTimer({ query: name });
    try {
      const rows = await inSpan(`sql ${name}`, attributes, () => run<Row>(name, sql, parameters));
      end({ outcome: 'ok' });
      return rows;
    } catch (error) {
      end({ outcome: databaseCode(error) ?? 'error' });
      throw error;
    }
  };
}

const verbs = ['select', 'insert', 'update', 'delete'];

type End = (error: unknown) => void;

/** Observes the statements that TypeORM generates and runs itself, under names such as `typeorm select`. */
@EventSubscriber()
export class OrmStatements implements EntitySubscriberInterface {
  private readonly running = new WeakMap<QueryRunner, End>();

  beforeQuery({ query, queryRunner }: { query: string; queryRunner: QueryRunner }): void {
    const verb = query.slice(0, 6).toLowerCase();
    const name = `typeorm ${verbs.includes(verb) ? verb : 'other'}`;
    const endTimer = duration.startTimer({ query: name });
    const span = openSpan(`sql ${name}`, attributes);
    this.running.set(queryRunner, (error) => {
      endTimer({ outcome: error === undefined ? 'ok' : (databaseCode(error) ?? 'error') });
      span?.end({}, error !== undefined);
    });
  }

  afterQuery({ queryRunner, error }: { queryRunner: QueryRunner; error?: unknown }): void {
    this.running.get(queryRunner)?.(error);
    this.running.delete(queryRunner);
  }
}
