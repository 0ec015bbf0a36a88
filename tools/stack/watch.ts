import { serviceNames, type Stack } from '#local-stack';
import { build } from '../bootstrap/build.mjs';
import { type Report } from './report.js';
import { watchDirectories } from './source-watcher.js';

/** Builds when a source file changes, and restarts the services. */
export function watchSources(stack: Stack, report: Report): void {
  watchDirectories(['apps', 'libs'], () =>
    rebuildAndRestart(stack, report).catch((error: unknown) => report.event(String(error))),
  );
}

async function rebuildAndRestart(stack: Stack, report: Report): Promise<void> {
  const { code, output } = await build();
  if (code !== 0) return report.event(output);
  for (const service of serviceNames) await stack.restartService(service);
  report.event('services restarted');
}
