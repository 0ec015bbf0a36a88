import { type EntityTables, entitySchema } from '@app/testing';
import { entities } from '../entities.js';
import { sqlSearchIndexNames } from '../search/sql/search-indexes.js';
import { migrations } from './migrations/index.js';

/**
 * Without what entities can't say: the indexes of the SQL engine, which the migration job makes and removes and some of which
 * have forms that TypeORM has no words for; and the default 0 of a bigint, which TypeORM writes as '0'.
 */
function expressible(tables: EntityTables): EntityTables {
  const isKept = (index: string): boolean => !sqlSearchIndexNames.some((name) => index.includes(` ${name} `));
  return Object.fromEntries(
    Object.entries(tables).map(([name, { columns, constraints, indexes }]) => [
      name,
      {
        columns: columns.map((column) =>
          column.replace("bigint NOT NULL DEFAULT '0'::bigint", 'bigint NOT NULL DEFAULT 0'),
        ),
        constraints,
        indexes: indexes.filter(isKept),
      },
    ]),
  );
}

describe('entities and migrations agree', () => {
  let schema: Awaited<ReturnType<typeof entitySchema>>;

  beforeAll(async () => {
    schema = await entitySchema({ name: 'catalog', migrations, entities });
  });

  it('TypeORM would change nothing in a migrated database', () => {
    expect(schema.proposed).toEqual([]);
  });

  // Functions, triggers and extensions are left out: entities know none.
  it('a database made from the entities alone has the same tables, constraints and indexes', () => {
    expect(expressible(schema.fromEntities)).toEqual(expressible(schema.migrated));
  });
});
