import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resetDataDirectory, updateLauncherState } from './data-directory.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'reset-'));
  for (const name of ['logs', 'redis', 'catalog-0', 'packages', 'catalog-mine']) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'file'), '');
  }
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('a reset removes what a stack has created and nothing else', async () => {
  updateLauncherState(directory, { demo_pending: true });
  await resetDataDirectory(directory);
  expect(readdirSync(directory).sort()).toEqual(['catalog-mine', 'packages']);
});

it('a reset changes nothing in a directory that no stack has used', async () => {
  await resetDataDirectory(directory);
  expect(readdirSync(directory)).toHaveLength(5);
});
