import { availableParallelism } from 'node:os';
import { run } from '../bootstrap/run.mjs';
import { TestReport } from '../testing/test-report.js';

const report = new TestReport();

async function script(name: string): Promise<boolean> {
  const { code, output } = await run('npm', ['run', '--silent', name], { quiet: true });
  if (code !== 0) process.stdout.write(output);
  return code === 0;
}

// Lint takes longer than the next two steps, and one core.
const linted = report.check('lint', () => script('lint'));
await report.check('typecheck', () => script('typecheck'));
await report.jest('unit', { project: 'unit' });
// These suites wait for a third of their time, so one more of them runs at once than there are cores.
await report.jest('int', {
  project: 'int',
  parameters: ['--maxWorkers', String(availableParallelism() + 1)],
});
await linted;
await report.jest('e2e', { project: 'e2e' });
// The other pages, what operators do and more faults: `npm run test:long`.
await report.jest('browser', { project: 'browser', parameters: ['--testPathPatterns', 'account-journey'] });
await report.jest('faults', { project: 'faults', environment: { FAULTS: '8' } });
report.print();
