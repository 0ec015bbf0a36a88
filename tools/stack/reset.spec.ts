import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateLauncherState } from './launcher-state.js';
import { resetDataDirectory } from './reset.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'reset-'));
  for (const name of ['logs', 'redis', 'catalog-0', 'packages', 'catalog-mine']) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'file'), '');
  }
});

afterEach(() => rmSync(directory, { recursive: true }));

it('removes what a stack has made, and leaves everything else', async () => {
  updateLauncherState(directory, { demo_pending: true });
  await resetDataDirectory(directory);
  expect(readdirSync(directory).sort()).toEqual(['catalog-mine', 'packages']);
});

it('touches nothing in a directory from which no stack ever ran', async () => {
  await resetDataDirectory(directory);
  expect(readdirSync(directory)).toHaveLength(5);
});
