import { readFileSync } from 'node:fs';
import { runOrThrow } from '@app/local-stack';
import { parse } from 'yaml';
import { readDockerfile } from '../../tools/deploy/dockerfile.js';
import { StubProgram } from './support/stub-program.js';

// Registries are asked.
jest.setTimeout(60_000);

interface Service {
  readonly image?: string;
  readonly build?: { readonly args?: Readonly<Record<string, string>> };
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const script = 'deploy/compose/pin-images.sh';
const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as Compose;

let docker: StubProgram;
afterEach(() => docker.remove());

it('every third-party image, also the one that ours are built on, is pinned to the digest of its tag', async () => {
  docker = new StubProgram('docker', `console.log('${digest}');`);
  const pinned = parse(await runOrThrow(script, [], { env: docker.environment })) as Compose;
  const expected = Object.entries(compose.services).map(([name, { image, build }]) => [
    name,
    build
      ? { build: { args: { NODE_IMAGE: `${readDockerfile().defaults.NODE_IMAGE}@${digest}` } } }
      : { image: `${image}@${digest}` },
  ]);
  expect(pinned.services).toEqual(Object.fromEntries(expected));
});

it('with the files of COMPOSE_FILE as its parameters, the proxy of several gateways is pinned too', async () => {
  docker = new StubProgram('docker', `console.log('${digest}');`);
  const front = 'deploy/compose/front.yml';
  const { services } = parse(readFileSync(front, 'utf8').replace('!reset', '')) as Compose;
  const environment = { env: docker.environment };
  const one = parse(await runOrThrow(script, [], environment)) as Compose;
  const all = parse(await runOrThrow(script, ['docker-compose.yml', front], environment)) as Compose;
  const pinnedFront = { image: `${services.front?.image}@${digest}` };
  expect(all.services).toEqual({ ...one.services, front: pinnedFront });
  expect(one.services).not.toHaveProperty('front');
});

it('nothing is written when the registry does not answer for one of them', async () => {
  docker = new StubProgram(
    'docker',
    `
    if (parameters.some((text) => text.startsWith('redis:'))) return 1;
    console.log('${digest}');`,
  );
  const failed = runOrThrow(script, [], { env: docker.environment });
  await expect(failed).rejects.toThrow(/failed \(1\):\nThe registry returned no digest for redis:[^\n]+$/);
});
