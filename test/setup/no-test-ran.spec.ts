import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const program = join(process.cwd(), 'node_modules/jest/bin/jest.js');

function runUnitTests(name: string) {
  const parameters = ['--selectProjects', 'unit', '--ci', 'tools/cli/arguments.spec', '-t', name];
  return spawnSync(process.execPath, [program, ...parameters], { encoding: 'utf8' });
}

describe('a test run that -t narrows to a name', () => {
  it('fails, and says why, when no test has it', () => {
    const { status, stderr } = runUnitTests('no test is called this');
    expect(status).toBe(1);
    expect(stderr).toContain('No test ran: no name of a test matches -t "no test is called this".');
  });

  it('succeeds when one has it', () => {
    expect(runUnitTests('dollars').status).toBe(0);
  });
});
