import { readFileSync } from 'node:fs';
import { runCommand } from './cli.fixture.js';

it('--version prints the version and the commit', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { code, stdout } = await runCommand(['--version'], { environment: {} });
  expect(code).toBe(0);
  expect(stdout).toContain(`${version} (`);
});
