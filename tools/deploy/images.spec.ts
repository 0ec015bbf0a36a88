import { readFileSync } from 'node:fs';
import { serviceNames, serviceNodeOptions } from '#dev';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const [, ...stages] = dockerfile.split(/^FROM /m);
/** The text of each stage by its name. */
const stageOf = Object.fromEntries(stages.map((text) => [/ AS (\S+)/.exec(text)?.[1] ?? '', text]));

it.each(serviceNames)('the image of %s starts as the tests and benchmarks do', (service) => {
  const [, command = ''] = /^CMD (.+)$/m.exec(stageOf[service] ?? '') ?? [];
  const expected = ['node', ...serviceNodeOptions[service], `dist/apps/${service}/src/main.js`];
  expect(JSON.parse(command)).toEqual(expected);
});

it('images begin empty, so without a shell or a package manager, and have a user by number who is not root', () => {
  expect(stageOf.labelled).toMatch(/^scratch /);
  for (const name of ['service', 'cli']) {
    expect(stageOf[name]).toMatch(/^labelled /);
    expect(stageOf[name]).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  }
  for (const name of serviceNames) expect(stageOf[name]).toMatch(/^service (?![^]*^USER )/m);
  expect(dockerfile.slice(dockerfile.indexOf('FROM scratch'))).not.toMatch(/^RUN /m);
});

it('images are built without tests, secrets and other files: only what is named gets into the context', () => {
  const [first, ...others] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(first).toBe('*');
  expect(others).toEqual(expect.arrayContaining(['**/*spec.ts', '**/*.fixture.ts', 'libs/testing']));
  expect(others.filter((line) => line.startsWith('!') && /deploy|\.env|\.git|test/.test(line))).toEqual([]);
});
