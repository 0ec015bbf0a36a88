import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runOrThrow, serviceNames } from '#dev';
import { ImagePrograms } from './support/image-programs.js';

// Scripts and services are started.
jest.setTimeout(60_000);

describe('the programs in our images', () => {
  /** Outside this checkout, so that nothing else is found. */
  const directory = mkdtempSync(join(tmpdir(), 'images-'));

  beforeAll(async () => {
    for (const service of serviceNames) {
      const copy = ['tools/images/copy-program.mjs', service, join(directory, service)];
      await runOrThrow(process.execPath, copy);
    }
    // Every file that a program may load is looked at, four times: minutes on a busy machine.
  }, 600_000);

  afterAll(() => rmSync(directory, { recursive: true }));

  it('are enough to migrate and to start each service', async () => {
    const programs = new ImagePrograms(directory);
    try {
      for (const service of ['catalog', 'billing', 'gateway', 'website'] as const) {
        await programs.start(service);
      }
    } finally {
      await programs.stop();
    }
  });

  it.each([
    ['gateway', ['typeorm', 'pg', 'stripe', 'nodemailer', 'preact', 'openid-client', '@fastify/cookie']],
    ['website', ['typeorm', 'pg', 'stripe', 'nodemailer', '@modelcontextprotocol/server']],
    ['catalog', ['preact', '@modelcontextprotocol/server', 'openid-client', 'stripe']],
    ['billing', ['preact', '@modelcontextprotocol/server', 'openid-client']],
  ] as const)('have, for %s, no packages that only other services need', (service, ofOthers) => {
    const packages = join(directory, service, 'node_modules');
    expect(existsSync(join(packages, '@nestjs/core'))).toBe(true);
    expect(ofOthers.filter((name) => existsSync(join(packages, name)))).toEqual([]);
  });

  /** A thread starts beside its service, on the same processors: Nest and TypeORM would take ten times as long to load. */
  it('are not loaded by the threads of the catalog, except the driver of PostgreSQL', () => {
    const files = readdirSync('dist/apps/catalog', { recursive: true, encoding: 'utf8' });
    const workers = files.filter((file) => file.endsWith('-worker.js'));
    expect(workers.length).toBeGreaterThan(1);
    const loaded = new Set<string>();
    for (const worker of workers) load(join('dist/apps/catalog', worker), loaded);
    const isPackage = (name: string): boolean => !name.startsWith('dist/') && !name.startsWith('node:');
    expect([...loaded].filter(isPackage)).toEqual(['pg']);
  });
});

function load(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return;
  loaded.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import |(?:import|export) .* from )["']([^"']+)/gm,
  )) {
    if (name.startsWith('.')) load(join(dirname(file), name), loaded);
    else if (name.startsWith('#')) load(join(libraryFile(name)), loaded);
    else loaded.add(name);
  }
}

/** The built file that a subpath import of package.json means. */
function libraryFile(name: string): string {
  const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, string> };
  return imports[name] ?? (imports['#*'] ?? '').replace('*', name.slice(1));
}
