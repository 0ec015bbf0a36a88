import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { buildProjects } from './bootstrap/build-projects.mjs';
import { root } from './bootstrap/paths.mjs';
import { fail, run } from './bootstrap/run.mjs';

const usage = `Usage: npm run migration:run
       npm run migration:show

Applies, or lists, the migrations of the catalog and billing databases: those of CATALOG_DATABASE_URL and
BILLING_DATABASE_URL, or, when neither is set, those of the running local stack.
`;

/** The databases to work on: service -> URL. */
function databaseUrls() {
  const { CATALOG_DATABASE_URL, BILLING_DATABASE_URL } = process.env;
  const given = { catalog: CATALOG_DATABASE_URL, billing: BILLING_DATABASE_URL };
  const chosen = Object.entries(given).filter(([, url]) => url);
  for (const [service, url] of chosen) {
    if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) continue;
    fail(
      `${service.toUpperCase()}_DATABASE_URL must be a URL that starts with postgres:// or postgresql://.`,
    );
  }
  if (chosen.length > 0) return Object.fromEntries(chosen);
  const stackFile = join(root, '.local/stack.json');
  if (!existsSync(stackFile)) fail(`No database is known.\n\n${usage}`);
  const stack = JSON.parse(readFileSync(stackFile, 'utf8'));
  return { catalog: stack.catalog_database_url, billing: stack.billing_database_url };
}

function compiled(service, file) {
  return join(root, 'dist/apps', service, 'apps', service, 'src', file);
}

async function apply(service, url) {
  const env = { ...process.env, [`${service.toUpperCase()}_DATABASE_URL`]: url };
  const { code } = await run(process.execPath, [compiled(service, 'migrate.js')], { env });
  if (code !== 0) fail(`The migrations of ${service} failed; what had been applied before stays applied.`);
}

async function show(service, url) {
  const { migrations } = await import(compiled(service, 'database/migrations/index.js'));
  const applied = await appliedMigrations(url);
  process.stdout.write(`${service}\n`);
  for (const { name } of migrations) process.stdout.write(`  [${applied.has(name) ? 'x' : ' '}] ${name}\n`);
}

async function appliedMigrations(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT to_regclass('migrations') IS NOT NULL AS found");
    if (!rows[0].found) return new Set();
    const names = await client.query('SELECT name FROM migrations');
    return new Set(names.rows.map(({ name }) => name));
  } finally {
    await client.end();
  }
}

const [action, ...rest] = process.argv.slice(2);
if (rest.includes('--help') || rest.includes('-h')) {
  process.stdout.write(usage);
  process.exit(0);
}
const work = { run: apply, show }[action];
if (!work || rest.length > 0) fail(usage);
try {
  const urls = databaseUrls();
  await buildProjects({ names: Object.keys(urls) });
  for (const [service, url] of Object.entries(urls)) await work(service, url);
} catch (error) {
  fail(error.message || String(error.code ?? error));
}
