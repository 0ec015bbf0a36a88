import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runOrThrow, type ServiceName, serviceNames } from '@app/local-stack';
import { Checkout } from '../../tools/measure/checkout.js';

/** Outside this checkout, so that no other package is found. */
const directory = mkdtempSync(join(tmpdir(), 'images-'));
const packagesOf = (service: ServiceName): string => join(directory, 'dist/apps', service, 'node_modules');

beforeAll(async () => {
  for (const service of serviceNames) {
    const build = `dist/apps/${service}`;
    cpSync(build, join(directory, build), { recursive: true });
    await runOrThrow(process.execPath, ['tools/images/copy-packages.mjs', build, packagesOf(service)]);
  }
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

it('each service starts with nothing but the packages of its image', async () => {
  // A catalog and a billing that are ready, migrations included.
  const checkout = await Checkout.open(directory);
  try {
    expect((await checkout.start('gateway')).readyMs).toBeGreaterThan(0);
  } finally {
    await checkout.close();
  }
}, 60_000);

it.each([
  ['gateway', ['typeorm', 'pg', 'stripe', 'nodemailer']],
  ['catalog', ['preact', '@modelcontextprotocol/server', 'openid-client', 'stripe']],
  ['billing', ['preact', '@modelcontextprotocol/server', 'openid-client']],
] as const)('the image of %s lacks what only others use', (service, ofOthers) => {
  expect(existsSync(join(packagesOf(service), '@nestjs/core'))).toBe(true);
  expect(ofOthers.filter((name) => existsSync(join(packagesOf(service), name)))).toEqual([]);
});

/** A thread starts beside its service, on the same processors: Nest and TypeORM would take ten times as long to load. */
it('the threads of the catalog load no package but the driver of PostgreSQL', () => {
  const files = readdirSync('dist/apps/catalog', { recursive: true, encoding: 'utf8' });
  const workers = files.filter((file) => file.endsWith('-worker.js'));
  expect(workers.length).toBeGreaterThan(1);
  const loaded = new Set<string>();
  for (const worker of workers) load(join('dist/apps/catalog', worker), loaded);
  const isPackage = (name: string): boolean => !name.startsWith('dist/') && !name.startsWith('node:');
  expect([...loaded].filter(isPackage)).toEqual(['pg']);
});

function load(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return;
  loaded.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import |(?:import|export) .* from )["']([^"']+)/gm,
  )) {
    if (name.startsWith('.')) load(join(dirname(file), name), loaded);
    else loaded.add(name);
  }
}
