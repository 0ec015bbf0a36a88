import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runOrThrow, type ServiceName, serviceNames } from '#dev';
import { fetchProgram } from '#testing';
import {
  contentOf,
  lastOf,
  nodeVersionOfImages,
  readDockerfile,
} from '../../tools/deploy/dockerfile.fixture.js';

const dockerfile = readDockerfile();
/** What a service asks for beside what its image sets, before it shows its configuration; nothing is connected to. */
const needed = {
  SERVICE_REDIS_URL: 'redis://127.0.0.1:1',
  CATALOG_DATABASE_URL: 'postgres://127.0.0.1:1/catalog',
  BILLING_DATABASE_URL: 'postgres://127.0.0.1:1/billing',
  ADMIN_TOKEN: 'a token of thirty-two characters',
};

let directory: string;
let node: string;

beforeAll(async () => {
  node = await fetchProgram('node', nodeVersionOfImages(dockerfile));
  mkdirSync('.local', { recursive: true });
  directory = mkdtempSync(resolve('.local/image-build-'));
  copyWhatTheImagesAreBuiltFrom();
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
}, 240_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function copyWhatTheImagesAreBuiltFrom(): void {
  const copies = dockerfile.stages.flatMap(({ instructions }) =>
    instructions.filter(({ keyword, text }) => keyword === 'COPY' && !text.startsWith('--from')),
  );
  for (const { text } of copies) {
    for (const path of text.split(' ').slice(0, -1)) {
      cpSync(path, join(directory, path), {
        recursive: true,
        filter: (file) => !/(spec|\.fixture)\.ts$|^libs\/testing$/.test(file),
      });
    }
  }
}

/** The program of an image and its variables. */
function startOf(service: ServiceName): { parameters: string[]; variables: Record<string, string> } {
  const { instructions } = contentOf(dockerfile, service);
  const [, ...parameters] = JSON.parse(lastOf(instructions, 'CMD')) as string[];
  const pairs = instructions
    .filter(({ keyword }) => keyword === 'ENV')
    .flatMap(({ text }) => text.split(' ').map((pair) => pair.split('=') as [string, string]))
    .filter(([name]) => name !== 'PATH');
  return {
    parameters,
    variables: Object.fromEntries(pairs),
  };
}

it.each(serviceNames)(
  'the Node.js of the images builds and starts %s',
  async (service) => {
    const nest = resolve('node_modules/@nestjs/cli/bin/nest.js');
    await runOrThrow(node, [nest, 'build', service], { cwd: directory });
    const { parameters, variables } = startOf(service);
    const output = await runOrThrow(node, [...parameters, '--print-config'], {
      cwd: directory,
      env: { ...process.env, ...variables, ...needed },
    });
    expect(output).toContain('SERVICE_REDIS_URL');
  },
  240_000,
);
