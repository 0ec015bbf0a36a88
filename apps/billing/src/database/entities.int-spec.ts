import { entitySchema } from '@app/testing';
import { entities } from '../entities.js';
import { migrations } from './migrations/index.js';

describe('entities and migrations agree', () => {
  let schema: Awaited<ReturnType<typeof entitySchema>>;

  beforeAll(async () => {
    schema = await entitySchema({ name: 'billing', migrations, entities });
  });

  it('a database created from the entities has the same tables, columns and primary keys', () => {
    expect(schema.fromEntities).toEqual(schema.migrated);
  });
});
