import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runOrThrow, serviceNames } from '#dev';
import { parse } from 'yaml';
import { readDockerfile } from '../../tools/deploy/dockerfile.js';
import { ImagePrograms } from './support/image-programs.js';
import { StubProgram } from './support/stub-program.js';

// Scripts and services are started.
jest.setTimeout(60_000);

interface Service {
  readonly image?: string;
  readonly build?: { readonly args?: Readonly<Record<string, string>> };
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

const composeFile = 'docker-compose.yml';
const frontFile = 'deploy/compose/front.yml';
const nodeImage = readDockerfile().defaults.NODE_IMAGE ?? '';
const read = (file: string): Compose =>
  parse(readFileSync(file, 'utf8').replaceAll('!reset', ''), { merge: true }) as Compose;
const { services } = read(composeFile);
const { front } = read(frontFile).services;

describe('deploy/compose/pin-images.sh', () => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
  const script = 'deploy/compose/pin-images.sh';
  let docker: StubProgram;
  beforeEach(() => (docker = new StubProgram('docker', `console.log('${digest}');`)));
  afterEach(() => docker.remove());

  async function pinned(...files: string[]): Promise<Compose> {
    return parse(await runOrThrow(script, files, { env: docker.environment })) as Compose;
  }

  it('pins every third-party image, also the one that ours are built on, to the digest of its tag', async () => {
    const expected = Object.entries(services).map(([name, { image, build }]) => [
      name,
      build ? { build: { args: { NODE_IMAGE: `${nodeImage}@${digest}` } } } : { image: `${image}@${digest}` },
    ]);
    expect((await pinned()).services).toEqual(Object.fromEntries(expected));
  });

  it('pins the proxy of several gateways and the archive job too when it gets the files of COMPOSE_FILE', async () => {
    const one = await pinned();
    const all = await pinned(composeFile, frontFile, 'deploy/compose/archive.yml');
    expect(all.services).toEqual({
      ...one.services,
      front: { image: `${front?.image}@${digest}` },
      'billing-archive': one.services.billing,
    });
    expect(one.services).not.toHaveProperty('front');
  });

  it('writes nothing when the registry returns no digest for one of them', async () => {
    docker.remove();
    docker = new StubProgram(
      'docker',
      `
      if (parameters.some((text) => text.startsWith('redis:'))) return 1;
      console.log('${digest}');`,
    );
    const failed = runOrThrow(script, [], { env: docker.environment });
    await expect(failed).rejects.toThrow(/failed \(1\):\nThe registry returned no digest for redis:[^\n]+$/);
  });
});

describe('the look-up of outdated images', () => {
  const others = [...Object.values(services), ...(front ? [front] : [])].flatMap(({ image, build }) =>
    image && !build ? [image] : [],
  );
  const images = [...new Set([nodeImage, ...others])];
  let skopeo: StubProgram;
  afterEach(() => skopeo.remove());

  /** Looks in a registry that has our tags and these. */
  function report(more: Readonly<Record<string, readonly string[]>>): Promise<string> {
    const tags = Object.fromEntries(
      images.map((image) => {
        const [name = '', tag = ''] = image.split(':');
        return [`docker://${name}`, ['latest', tag, ...(more[name] ?? [])]];
      }),
    );
    const answer = `console.log(JSON.stringify({ Tags: ${JSON.stringify(tags)}[parameters[1]] }));`;
    skopeo = new StubProgram('skopeo', answer);
    return runOrThrow(process.execPath, ['dist/tools/tasks/outdated-images.js'], { env: skopeo.environment });
  }

  it('covers every third-party image, and calls the newest of its kind the newest', async () => {
    const redis = ['7.4.2-bookworm', '7.4.99-alpine', '8.9.9-bookworm', '7.4-bookworm', '7.5-rc1'];
    const lines = (await report({ redis })).trim().split('\n');
    expect(lines).toEqual(images.map((image) => `newest    ${image}`));
  });

  it.each([
    { name: 'redis', more: ['7.4.9-bookworm', '7.4.100-bookworm'], newest: '7.4.100-bookworm' },
    { name: 'postgres', more: ['17.9-trixie', '17.100-trixie'], newest: '17.100-trixie' },
    { name: 'prom/prometheus', more: ['v3.100.0', 'v3.100.0-distroless'], newest: 'v3.100.0' },
  ])('fails for a newer $name of the same major version', async ({ name, more, newest }) => {
    const image = images.find((one) => one.startsWith(`${name}:`));
    await expect(report({ [name]: more })).rejects.toThrow(`OUTDATED  ${image}  ->  ${newest}`);
  });
});

describe('the programs in our images', () => {
  /** Outside this checkout, so that nothing else is found. */
  const directory = mkdtempSync(join(tmpdir(), 'images-'));

  beforeAll(async () => {
    for (const service of serviceNames) {
      const copy = ['tools/images/copy-program.mjs', service, join(directory, service)];
      await runOrThrow(process.execPath, copy);
    }
    // Every file that a program may load is looked at, four times.
  }, 180_000);

  afterAll(() => rmSync(directory, { recursive: true }));

  it('are enough to migrate and to start each service', async () => {
    const programs = new ImagePrograms(directory);
    try {
      for (const service of ['catalog', 'billing', 'gateway', 'website'] as const)
        await programs.start(service);
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
