import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  claimDataDirectory,
  releaseDataDirectory,
  resetDataDirectory,
  runningLauncher,
  updateLauncherState,
} from './data-directory.js';

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

it('finds a launcher whose data directory has been removed, until it has ended', async () => {
  const launcher = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1e6)', 'start.mjs']);
  await once(launcher, 'spawn');
  claimDataDirectory(directory, launcher.pid);
  rmSync(directory, { recursive: true });
  expect(runningLauncher(directory)).toBe(launcher.pid);
  expect(() => claimDataDirectory(directory)).toThrow(/^A stack is already running from/);
  launcher.kill('SIGKILL');
  await once(launcher, 'exit');
  expect(runningLauncher(directory)).toBeNull();
  releaseDataDirectory(directory);
});
