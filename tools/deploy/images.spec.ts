import { readFileSync } from 'node:fs';
import { serviceNames, serviceNodeOptions } from '#dev';
import { contentOf, lastOf, readDockerfile } from './dockerfile.fixture.js';

const dockerfile = readDockerfile();

it.each(serviceNames)(
  'the image of %s starts as the tests and benchmarks do, and holds its program',
  (service) => {
    const { instructions } = contentOf(dockerfile, service);
    const command = ['node', ...serviceNodeOptions[service], `dist/apps/${service}/src/main.js`];
    expect(JSON.parse(lastOf(instructions, 'CMD'))).toEqual(command);
    expect(instructions.filter(({ keyword }) => keyword === 'COPY').map(({ text }) => text)).toEqual([
      '--from=runtime /runtime /',
      `--from=build /app/programs/${service} ./`,
      '--from=build-info /app/dist/build.json dist/',
    ]);
  },
);

it('the image of the command line starts it', () => {
  const { instructions } = contentOf(dockerfile, 'cli');
  expect(JSON.parse(lastOf(instructions, 'ENTRYPOINT'))).toEqual(['node', 'dist/tools/cli/installed.js']);
});

describe.each([...serviceNames, 'cli'])('the image of %s', (name) => {
  const { image, instructions } = contentOf(dockerfile, name);

  it('begins empty, so without a shell or a package manager, and has a user by number who is not root', () => {
    expect(image).toBe('scratch');
    expect(instructions.filter(({ keyword }) => keyword === 'RUN')).toEqual([]);
    expect(lastOf(instructions, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('says in its labels which version and commit it is, of when', () => {
    const labels = instructions.filter(({ keyword }) => keyword === 'LABEL').map(({ text }) => text);
    const names = labels.join(' ').matchAll(/org\.opencontainers\.image\.(\w+)=/g);
    const expected = ['version', 'revision', 'created', 'licenses', 'title'];
    expect([...names].map(([, label]) => label)).toEqual(expected);
    expect(labels.join(' ')).toContain('revision=$COMMIT org.opencontainers.image.created=$CREATED ');
  });
});

it('the Node.js for building and running is named once, down to the patch version', () => {
  const { defaults, stages } = dockerfile;
  expect(defaults.NODE_IMAGE).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim$/);
  const known = ['scratch', '${NODE_IMAGE}', ...stages.map(({ name }) => name)];
  expect(stages.filter(({ base }) => !known.includes(base))).toEqual([]);
});

it('images are built without tests, secrets and other files: only what is named gets into the context', () => {
  const [first, ...others] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(first).toBe('*');
  expect(others).toEqual(expect.arrayContaining(['**/*spec.ts', '**/*.fixture.ts', 'libs/testing']));
  expect(others.filter((line) => line.startsWith('!') && /deploy|\.env|\.git|test/.test(line))).toEqual([]);
});
