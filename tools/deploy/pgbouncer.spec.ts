import { readFileSync } from 'node:fs';
import { sessionSettings as billing } from '../../apps/billing/src/database/data-source.js';
import { sessionSettings as catalog } from '../../apps/catalog/src/database/connections.js';

it('the roles set, for PgBouncer, what the services otherwise set per session', () => {
  const sql = readFileSync('deploy/pgbouncer/role-settings.sql', 'utf8');
  const statements = Object.entries({ catalog, billing }).flatMap(([name, settings]) =>
    Object.entries(settings).map(
      ([setting, value]) => `ALTER ROLE ${name} IN DATABASE ${name} SET ${setting} = '${value}';`,
    ),
  );
  expect(sql.split('\n').filter((line) => line.startsWith('ALTER'))).toEqual(statements);
});

it('PgBouncer keeps all statements that billing prepares', () => {
  const ini = readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8');
  const [, kept] = /^max_prepared_statements = (\d+)$/m.exec(ini) ?? [];
  // There are about thirty; one that has been dropped is prepared again.
  expect(Number(kept)).toBeGreaterThanOrEqual(100);
});
