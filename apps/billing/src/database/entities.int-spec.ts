import { entitySchema } from '@app/testing';
import { entities } from '../entities.js';
import { migrations } from './migrations/index.js';

describe('entities and migrations agree', () => {
  let schema: Awaited<ReturnType<typeof entitySchema>>;

  beforeAll(async () => {
    schema = await entitySchema({ name: 'billing', migrations, entities });
  });

  it('TypeORM would change nothing in a migrated database', () => {
    expect(schema.proposed).toEqual([]);
  });

  // Functions, triggers and extensions are left out: entities know none.
  it('a database made from the entities alone has the same tables, constraints and indexes', () => {
    expect(schema.fromEntities).toEqual(schema.migrated);
  });
});
