import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assertNotRunning,
  claimDataDirectory,
  releaseDataDirectory,
  runningLauncher,
} from './launcher-file.js';

it('finds a launcher whose data directory has been removed, until it has ended', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'launcher-'));
  const launcher = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1e6)', 'start.mjs']);
  await once(launcher, 'spawn');
  claimDataDirectory(directory, launcher.pid);
  rmSync(directory, { recursive: true });
  expect(runningLauncher(directory)).toBe(launcher.pid);
  expect(() => assertNotRunning(directory)).toThrow(/^A stack is already running from/);
  launcher.kill('SIGKILL');
  await once(launcher, 'exit');
  expect(runningLauncher(directory)).toBeNull();
  releaseDataDirectory(directory);
});
