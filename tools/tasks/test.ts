import { availableParallelism } from 'node:os';
import { run } from '../bootstrap/run.mjs';
import { Verdict } from '../testing/verdict.js';

const verdict = new Verdict();

async function script(name: string): Promise<boolean> {
  const { code, output } = await run('npm', ['run', '--silent', name], { quiet: true });
  if (code !== 0) process.stdout.write(output);
  return code === 0;
}

// Lint takes longer than the next two steps, and one core.
const linted = verdict.check('lint', () => script('lint'));
await verdict.check('typecheck', () => script('typecheck'));
await verdict.jest('unit', { project: 'unit' });
// These suites wait for a third of their time, so one more of them runs at once than there are cores.
await verdict.jest('int', {
  project: 'int',
  parameters: ['--maxWorkers', String(availableParallelism() + 1)],
});
await linted;
await verdict.jest('e2e', { project: 'e2e' });
// The other pages, what operators do and more faults: `npm run test:long`.
await verdict.jest('browser', { project: 'browser', parameters: ['--testPathPatterns', 'account-journey'] });
await verdict.jest('faults', { project: 'faults', environment: { FAULTS: '8' } });
verdict.print();
