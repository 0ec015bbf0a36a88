import { readFileSync } from 'node:fs';
import { serviceNames, serviceNodeOptions } from '@app/local-stack';
import { contentOf, lastOf, readDockerfile, type Stage } from './dockerfile.js';

const dockerfile = readDockerfile();
const { defaults, stages } = dockerfile;

describe.each(serviceNames)('the image of %s', (service) => {
  const { image, instructions } = contentOf(dockerfile, service);

  it('starts as the tests and benchmarks do', () => {
    const command = ['node', ...serviceNodeOptions[service], `dist/apps/${service}/src/main.js`];
    expect(JSON.parse(lastOf(instructions, 'CMD'))).toEqual(command);
  });

  it('runs as a user by number, who is not root', () => {
    expect(lastOf(instructions, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('holds no shell and no package manager: it begins empty, and nothing is run in it', () => {
    expect(image).toBe('scratch');
    expect(instructions.filter(({ keyword }) => keyword === 'RUN')).toEqual([]);
  });

  it('holds only the packages that its service loads, and no source', () => {
    const copied = instructions.filter(({ keyword }) => keyword === 'COPY').map(({ text }) => text);
    expect(copied.filter((text) => text.includes('node_modules'))).toEqual([
      `--from=build-${service} /app/packages node_modules`,
    ]);
    const build = stages.find(({ name }) => name === `build-${service}`)?.instructions ?? [];
    const commands = build.filter(({ keyword }) => keyword === 'RUN').map(({ text }) => text);
    expect(commands.join('\n')).toContain(`copy-packages.mjs dist/apps/${service} packages`);
    expect(copied.filter((text) => !text.startsWith('--from='))).toEqual(['package.json ./']);
  });
});

it('has what its build was made from, last, so that another commit builds nothing again', () => {
  for (const service of serviceNames) {
    const build = stages.find(({ name }) => name === `build-${service}`)?.instructions ?? [];
    expect(build.slice(-2)).toEqual([
      { keyword: 'ARG', text: 'COMMIT' },
      { keyword: 'RUN', text: `node tools/version/write-build-info.mjs dist/apps/${service}` },
    ]);
  }
});

it('says in its labels which version and commit it is, of when', () => {
  for (const image of [...serviceNames, 'cli']) {
    const { instructions } = contentOf(dockerfile, image);
    const labels = instructions.filter(({ keyword }) => keyword === 'LABEL').map(({ text }) => text);
    const names = [...labels.join(' ').matchAll(/org\.opencontainers\.image\.(\w+)=/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(['version', 'revision', 'created', 'licenses', 'title']);
    expect(labels.join(' ')).toContain('revision=$COMMIT org.opencontainers.image.created=$CREATED ');
  }
});

describe('the image of the command line', () => {
  const { image, instructions } = contentOf(dockerfile, 'cli');

  it('holds its package as it is published, with what that imports, and runs it as no privileged user', () => {
    expect(image).toBe('scratch');
    expect(JSON.parse(lastOf(instructions, 'ENTRYPOINT'))).toEqual(['node', 'dist/tools/cli/installed.js']);
    expect(lastOf(instructions, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(lastOf(instructions, 'COPY')).toBe('--from=build-cli /app/cli ./');
    const build = lastOf(contentOf(dockerfile, 'build-cli').instructions, 'RUN');
    expect(build).toContain(
      'stage-cli.mjs dist/tools cli && node tools/images/copy-packages.mjs cli/dist cli/',
    );
  });
});

it('names the Node.js for building and running once, down to the patch version', () => {
  expect(defaults.NODE_IMAGE).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim$/);
  const isKnown = ({ base }: Stage): boolean =>
    base === 'scratch' || base === '${NODE_IMAGE}' || stages.some(({ name }) => name === base);
  expect(stages.filter((stage) => !isKnown(stage))).toEqual([]);
});

it.each(['gateway', 'catalog', 'billing'])('has no test in the build of %s', (app) => {
  const { exclude } = JSON.parse(readFileSync(`apps/${app}/tsconfig.app.json`, 'utf8')) as {
    exclude: string[];
  };
  expect(exclude).toEqual(['**/*spec.ts', '**/*.fixture.ts']);
});

it('is built without tests, secrets and other files: only what is named gets into the context', () => {
  const [first, ...others] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(first).toBe('*');
  expect(others).toEqual(expect.arrayContaining(['**/*spec.ts', '**/*.fixture.ts']));
  expect(others.filter((line) => /deploy|\.env|\.git|test/.test(line))).toEqual([]);
});
