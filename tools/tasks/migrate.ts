import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { root } from '../bootstrap/paths.mjs';
import { fail, run } from '../bootstrap/run.mjs';

const usage = `Usage: npm run migration:run
       npm run migration:show

Applies or lists the migrations of the catalog and billing databases: those of CATALOG_DATABASE_URL and
BILLING_DATABASE_URL, or, when neither is set, those of the running local stack.
With RUNTIME_ROLE, one database at a time: each service has a role of its own.
`;

type Service = 'catalog' | 'billing';

interface Target {
  readonly service: Service;
  readonly url: string;
}

/** The databases to work on. Exits when there is none. */
function targets(): Target[] {
  const { CATALOG_DATABASE_URL, BILLING_DATABASE_URL } = process.env;
  const chosen = targetsOf(CATALOG_DATABASE_URL, BILLING_DATABASE_URL);
  for (const { service, url } of chosen) {
    if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) continue;
    fail(
      `${service.toUpperCase()}_DATABASE_URL must be a URL that starts with postgres:// or postgresql://.`,
    );
  }
  if (chosen.length > 0) return chosen;
  const stackFile = join(root, '.local/stack.json');
  if (!existsSync(stackFile)) fail(`No database is configured.\n\n${usage}`);
  const stack = JSON.parse(readFileSync(stackFile, 'utf8')) as {
    catalog_database_url: string;
    billing_database_url: string;
  };
  return targetsOf(stack.catalog_database_url, stack.billing_database_url);
}

function targetsOf(catalog = '', billing = ''): Target[] {
  const all: Target[] = [
    { service: 'catalog', url: catalog },
    { service: 'billing', url: billing },
  ];
  return all.filter(({ url }) => url !== '');
}

/** The role of a service must not get the rights of the other. */
function refuseSharedRole(chosen: readonly Target[]): void {
  if (chosen.length < 2 || (process.env.RUNTIME_ROLE ?? '') === '') return;
  fail(
    'RUNTIME_ROLE is the role of one service: migrate the databases one after the other, each with its own role, ' +
      'for example CATALOG_DATABASE_URL=... RUNTIME_ROLE=catalog npm run migration:run.',
  );
}

function compiled(service: Service, file: string): string {
  return join(root, 'dist/apps', service, 'src', file);
}

async function apply({ service, url }: Target): Promise<void> {
  const env = { ...process.env, [`${service.toUpperCase()}_DATABASE_URL`]: url };
  const { code } = await run(process.execPath, [compiled(service, 'migrate.js')], { env });
  if (code !== 0) fail(`The migrations of ${service} failed; those applied before stay applied.`);
}

async function show({ service, url }: Target): Promise<void> {
  const { href } = pathToFileURL(compiled(service, 'database/migrations/index.js'));
  const { migrations } = (await import(href)) as { migrations: readonly { readonly name: string }[] };
  const applied = await appliedMigrations(url);
  process.stdout.write(`${service}\n`);
  for (const { name } of migrations) process.stdout.write(`  [${applied.has(name) ? 'x' : ' '}] ${name}\n`);
}

async function appliedMigrations(connectionString: string): Promise<Set<string>> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: boolean }>(
      "SELECT to_regclass('migrations') IS NOT NULL AS found",
    );
    if (!rows[0]?.found) return new Set();
    const names = await client.query<{ name: string }>('SELECT name FROM migrations');
    return new Set(names.rows.map(({ name }) => name));
  } finally {
    await client.end();
  }
}

/** After several connection attempts, the error has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String(Reflect.get(error, 'code') ?? error);
}

const works: Readonly<Record<string, (target: Target) => Promise<void>>> = { run: apply, show };

const [action = '', ...rest] = process.argv.slice(2);
const work = works[action];
if (rest.includes('--help') || rest.includes('-h')) {
  process.stdout.write(usage);
} else if (!work || rest.length > 0) {
  fail(usage);
} else {
  try {
    const chosen = targets();
    if (action === 'run') refuseSharedRole(chosen);
    for (const target of chosen) await work(target);
  } catch (error) {
    fail(reasonOf(error));
  }
}
