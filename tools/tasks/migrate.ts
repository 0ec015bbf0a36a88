import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { fail, run } from '../bootstrap/run.mjs';

const usage = `Usage: npm run migration:run

Applies the migrations of the catalog and billing databases: those of CATALOG_DATABASE_URL and BILLING_DATABASE_URL, or,
when neither is set, those of the running local stack.
With RUNTIME_ROLE, one database at a time: each service has a role of its own.
`;

/** The URLs of the databases by service; empty for one that is left out. Exits when there is none. */
function databases(): Record<'catalog' | 'billing', string> {
  const { CATALOG_DATABASE_URL: catalog = '', BILLING_DATABASE_URL: billing = '' } = process.env;
  if (catalog !== '' || billing !== '') return { catalog, billing };
  const stackFile = join(root, '.local/stack.json');
  if (!existsSync(stackFile)) fail(`No database is configured.\n\n${usage}`);
  const stack = JSON.parse(readFileSync(stackFile, 'utf8')) as Record<string, string>;
  return { catalog: stack.catalog_database_url ?? '', billing: stack.billing_database_url ?? '' };
}

if (process.argv.length > 2) fail(usage);
const chosen = Object.entries(databases()).filter(([, url]) => url !== '');
// The role of a service must not get the rights of the other.
if (chosen.length > 1 && process.env.RUNTIME_ROLE) {
  fail(
    'RUNTIME_ROLE is the role of one service: migrate the databases one after the other, each with its own role, ' +
      'for example CATALOG_DATABASE_URL=... RUNTIME_ROLE=catalog npm run migration:run.',
  );
}
for (const [service, url] of chosen) {
  const env = { ...process.env, [`${service.toUpperCase()}_DATABASE_URL`]: url };
  const { code } = await run(process.execPath, [join(root, 'dist/apps', service, 'src/migrate.js')], { env });
  if (code !== 0) fail(`The migrations of ${service} failed; those applied before stay applied.`);
}
