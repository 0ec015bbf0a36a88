import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames, type Stack } from '@app/local-stack';
import { type Report } from './report.js';
import { watchDirectories } from './source-watcher.js';

/** Builds when a source file changes, and restarts the services whose build has changed. */
export function watchSources(stack: Stack, report: Report): void {
  watchDirectories(['apps', 'libs'], () =>
    rebuildAndRestart(stack, report).catch((error: unknown) => report.event(String(error))),
  );
}

async function rebuildAndRestart(stack: Stack, report: Report): Promise<void> {
  const before = serviceNames.map(builtVersion);
  if (!(await build())) return;
  const changed = serviceNames.filter((service, position) => builtVersion(service) !== before[position]);
  for (const service of changed) {
    await stack.restartService(service);
    report.event(`${service} restarted`);
  }
}

function builtVersion(service: ServiceName): string {
  const stamp = join('dist/.built', service);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
}

function build(): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['tools/task.mjs', 'build', ...serviceNames], { stdio: 'inherit' });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
