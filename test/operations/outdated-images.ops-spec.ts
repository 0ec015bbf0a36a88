import { runOrThrow } from '@app/local-stack';
import { readComposeFile } from '../../tools/deploy/compose-file.fixture.js';
import { readDockerfile } from '../../tools/deploy/dockerfile.js';
import { StubProgram } from './support/stub-program.js';

// Registries are asked.
jest.setTimeout(60_000);

const others = ['docker-compose.yml', 'deploy/compose/front.yml']
  .flatMap((file) => Object.values(readComposeFile(file).services))
  .flatMap(({ image, build }) => (image && !build ? [image] : []));
const images = [readDockerfile().defaults.NODE_IMAGE ?? '', ...others];

let skopeo: StubProgram;
afterEach(() => skopeo.remove());

/** A registry that has the tags which are named here, and these beside them. */
function registryWith(more: Readonly<Record<string, readonly string[]>>): void {
  const tags = Object.fromEntries(
    images.map((image) => {
      const [name = '', tag = ''] = image.split(':');
      return [`docker://${name}`, ['latest', tag, ...(more[name] ?? [])]];
    }),
  );
  skopeo = new StubProgram(
    'skopeo',
    `console.log(JSON.stringify({ Tags: ${JSON.stringify(tags)}[parameters[1]] }));`,
  );
}

function report(): Promise<string> {
  return runOrThrow(process.execPath, ['tools/task.mjs', 'outdated-images'], { env: skopeo.environment });
}

it('every third-party image is looked up, and is the newest of its kind', async () => {
  registryWith({ redis: ['7.4.2-bookworm', '7.4.99-alpine', '8.9.9-bookworm', '7.4-bookworm', '7.5-rc1'] });
  const lines = (await report()).trim().split('\n');
  expect(lines).toEqual(images.map((image) => `newest    ${image}`));
});

it.each([
  { name: 'redis', more: ['7.4.9-bookworm', '7.4.100-bookworm'], newest: '7.4.100-bookworm' },
  { name: 'postgres', more: ['17.9-trixie', '17.100-trixie'], newest: '17.100-trixie' },
  { name: 'prom/prometheus', more: ['v3.100.0', 'v3.100.0-distroless'], newest: 'v3.100.0' },
])('a newer $name of the same major version fails the check', async ({ name, more, newest }) => {
  registryWith({ [name]: more });
  const image = images.find((one) => one.startsWith(`${name}:`));
  await expect(report()).rejects.toThrow(`OUTDATED  ${image}  ->  ${newest}`);
});
