import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeVersionOfImages, readDockerfile } from '../deploy/dockerfile.fixture.js';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };

const ofImages = nodeVersionOfImages(readDockerfile());
const failed = ['18.20.8', '20.15.1', '20.18.3', '20.19.0', '20.19.4', '22.12.0', '22.14.0'];
const worked = ['20.19.5', '20.20.2', '22.16.0', '22.23.3', '24.0.2', '24.21.0', '26.10.0'];
const numbered = ['1.2.2', '1.2.3', '1.3.0', '1.10.0', '2.0.0', '3.9.9', '4.0.0', '10.0.0'];

/** Asks the module itself, in a process of its own: it runs before anything is installed or compiled. */
const script = `
  import { isInRange } from '${pathToFileURL('tools/bootstrap/node-version.mjs').href}';
  const accepted = (versions, range) => versions.filter((version) => isInRange(version, range));
  console.log(JSON.stringify({
    accepted: accepted(${JSON.stringify([...failed, ...worked, ofImages])}, '${engines.node}'),
    ofRange: accepted(${JSON.stringify(numbered)}, '^1.2.3 || >=4'),
  }));`;
const answers = JSON.parse(
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
) as { readonly accepted: string[]; readonly ofRange: string[] };

it('refuses the versions of Node.js that were seen to fail, and takes those that were seen to work and that of the images', () => {
  expect(answers.accepted).toEqual([...worked, ofImages]);
});

it('takes later versions of a named line, and of all lines only where the range says so', () => {
  expect(answers.ofRange).toEqual(['1.2.3', '1.3.0', '1.10.0', '4.0.0', '10.0.0']);
});

it('is checked by modules that older versions can load', () => {
  const loaded = ['tools/start.mjs', 'tools/stop.mjs', 'tools/task.mjs', 'tools/cli.mjs'];
  for (const file of loaded) {
    const code = readFileSync(file, 'utf8');
    for (const [, name = ''] of code.matchAll(/^import .* from '(\.[^']+)';$/gm)) {
      const imported = join(dirname(file), name);
      if (!loaded.includes(imported)) loaded.push(imported);
    }
    // Node.js 18 has neither.
    expect([file, /import\.meta\.(dirname|filename)/.test(code)]).toEqual([file, false]);
  }
  expect(loaded).toContain('tools/bootstrap/prepare.mjs');
});
