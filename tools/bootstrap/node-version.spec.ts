import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
const [, ofImages = ''] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
const failed = ['18.20.8', '20.15.1', '20.18.3', '20.19.0', '20.19.4', '22.12.0', '22.14.0'];
const worked = ['20.19.5', '20.20.2', '22.16.0', '22.23.3', '24.0.2', '24.21.0', '26.10.0', ofImages];

it.each([
  ['that were seen to fail, and takes those that were seen to work', engines.node, failed, worked],
  [
    'that a range leaves out',
    '^1.2.3 || >=4',
    ['1.2.2', '2.0.0', '3.9.9'],
    ['1.2.3', '1.10.0', '4.0.0', '10.0.0'],
  ],
])('refuses versions of Node.js %s', (_which, range, refused, accepted) => {
  // In a process of its own: the module runs before anything is installed or compiled.
  const script = `
    import { isInRange } from '${pathToFileURL('tools/bootstrap/node-version.mjs').href}';
    const versions = ${JSON.stringify([...refused, ...accepted])};
    console.log(JSON.stringify(versions.filter((version) => isInRange(version, '${range}'))));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual(accepted);
});
