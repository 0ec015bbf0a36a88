import { type MetricValueWithName, register } from 'prom-client';
import { type QueryRunner } from 'typeorm';
import { observed, OrmStatements } from './observed-query.js';

/** How many statements were observed under a name, by outcome. */
async function counts(query: string): Promise<Record<string, number>> {
  const metric = register.getSingleMetric('creator_search_database_query_duration_seconds');
  const values = ((await metric?.get())?.values ?? []) as MetricValueWithName<string>[];
  const ofName = values.filter(
    ({ labels, metricName }) => labels.query === query && metricName?.endsWith('_count'),
  );
  return Object.fromEntries(ofName.map(({ labels, value }) => [String(labels.outcome), value]));
}

it('a statement is observed under its name, with its outcome', async () => {
  await observed(() => Promise.resolve([]))('lock accounts', 'SELECT 1');
  const failing = observed(() => Promise.reject(Object.assign(new Error('no'), { code: '55P03' })));
  await expect(failing('lock accounts', 'SELECT 1')).rejects.toThrow('no');
  expect(await counts('lock accounts')).toEqual({ ok: 1, '55P03': 1 });
});

it('a statement that TypeORM writes is observed under its verb', async () => {
  const statements = new OrmStatements();
  const queryRunner = {} as QueryRunner;
  for (const error of [undefined, new Error('no')]) {
    statements.beforeQuery({ query: 'INSERT INTO "accounts" VALUES ($1)', queryRunner });
    statements.afterQuery({ queryRunner, error });
  }
  statements.beforeQuery({ query: 'SAVEPOINT typeorm_1', queryRunner });
  statements.afterQuery({ queryRunner });
  expect(await counts('typeorm insert')).toEqual({ ok: 1, error: 1 });
  expect(await counts('typeorm other')).toEqual({ ok: 1 });
});
