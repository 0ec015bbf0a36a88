import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { root } from '../bootstrap/paths.mjs';
import { run, seconds } from '../bootstrap/run.mjs';

export interface JestRun {
  readonly project: string;
  readonly parameters?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Prints jest's output only when a test has failed. */
  readonly quiet?: boolean;
}

/** The part of jest's `--json` that is read. */
interface Results {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly numRuntimeErrorTestSuites?: number;
}

/** Runs the steps of `npm test` or `npm run test:long`, and says in the end how they went. */
export class TestReport {
  private passed = 0;
  private failed = 0;
  private readonly lines: string[] = [];

  /** A step without tests to count: its failure counts as one failed test. */
  check(name: string, work: () => Promise<boolean>): Promise<boolean> {
    return this.step(name, async () => {
      const isGood = await work();
      if (!isGood) this.failed += 1;
      return { isGood };
    });
  }

  /** A run of a project of jest; one that failed otherwise, or that ran no test, counts as one failed test. */
  jest(name: string, jestRun: JestRun): Promise<boolean> {
    return this.step(name, async () => {
      const { code, output, results } = await runJest(jestRun);
      const { numPassedTests: passed = 0, numFailedTests = 0, numPendingTests: skipped = 0 } = results;
      const counted = numFailedTests + (results.numRuntimeErrorTestSuites ?? 0);
      const failed = code === 0 && passed + skipped > 0 ? counted : Math.max(1, counted);
      this.passed += passed;
      this.failed += failed;
      if (jestRun.quiet) process.stdout.write(failed > 0 ? output : reportsIn(output));
      return { isGood: failed === 0, skipped };
    });
  }

  /** Prints the times and the counts; the program fails when anything has. */
  print(): void {
    process.stdout.write(`\n${this.lines.join('\n')}\n\n${this.passed} passed, ${this.failed} failed\n`);
    process.exitCode = this.failed > 0 ? 1 : 0;
  }

  /** `skipped`: tests that this machine can't run; each of these runs has said why. */
  private async step(
    name: string,
    work: () => Promise<{ readonly isGood: boolean; readonly skipped?: number }>,
  ): Promise<boolean> {
    process.stdout.write(`\n== ${name}\n`);
    const startedAt = performance.now();
    const { isGood, skipped = 0 } = await work();
    const rest = `${seconds(startedAt)}${skipped > 0 ? `, ${skipped} skipped on this machine` : ''}`;
    this.lines.push(`  ${(isGood ? 'ok' : 'FAILED').padEnd(7)} ${name.padEnd(24)} ${rest}`);
    return isGood;
  }
}

async function runJest({ project, parameters = [], environment = {}, quiet }: JestRun) {
  const directory = mkdtempSync(join(tmpdir(), 'results-'));
  const file = join(directory, 'results.json');
  const program = join(root, 'node_modules/jest/bin/jest.js');
  const all = [program, '--selectProjects', project, '--json', '--outputFile', file, ...parameters];
  const ended = await run(process.execPath, all, { quiet, env: { ...process.env, ...environment } });
  const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
  rmSync(directory, { recursive: true });
  return { ...ended, results };
}

/** The lines in which the tests of random histories say what they have played, and from which seed. */
function reportsIn(output: string): string {
  return output.replace(/^(?!.*_SEED=).*\n?/gm, '');
}
