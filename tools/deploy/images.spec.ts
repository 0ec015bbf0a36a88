import { readFileSync } from 'node:fs';
import { serviceNames, serviceNodeOptions } from '#dev';
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

  it('holds the program with what it loads, and no source', () => {
    const copied = instructions.filter(({ keyword }) => keyword === 'COPY').map(({ text }) => text);
    expect(copied).toEqual([
      '--from=runtime /runtime /',
      `--from=build /app/programs/${service} ./`,
      '--from=build-info /app/dist/build.json dist/',
    ]);
  });
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

  it('runs its program as no privileged user', () => {
    expect(image).toBe('scratch');
    expect(JSON.parse(lastOf(instructions, 'ENTRYPOINT'))).toEqual(['node', 'dist/tools/cli/installed.js']);
    expect(lastOf(instructions, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });
});

it('names the Node.js for building and running once, down to the patch version', () => {
  expect(defaults.NODE_IMAGE).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim$/);
  const isKnown = ({ base }: Stage): boolean =>
    base === 'scratch' || base === '${NODE_IMAGE}' || stages.some(({ name }) => name === base);
  expect(stages.filter((stage) => !isKnown(stage))).toEqual([]);
});

it('is built without tests, secrets and other files: only what is named gets into the context', () => {
  const [first, ...others] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(first).toBe('*');
  expect(others).toEqual(expect.arrayContaining(['**/*spec.ts', '**/*.fixture.ts']));
  expect(others.filter((line) => /deploy|\.env|\.git|test/.test(line))).toEqual([]);
});
