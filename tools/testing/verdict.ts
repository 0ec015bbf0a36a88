import { performance } from 'node:perf_hooks';
import { seconds } from '../bootstrap/run.mjs';
import { type JestRun, runJest, type TestFile } from './run-jest.js';

const slowestShown = 10;

/** Runs the steps of `npm test` or `npm run test:long`, and says in the end how they went and what took longest. */
export class Verdict {
  private passed = 0;
  private failed = 0;
  /** The tests that this machine can't run, by step; each of these runs has said why. */
  private readonly skips: string[] = [];
  private readonly times: string[] = [];
  private readonly files: TestFile[] = [];

  /** A step without tests to count: its failure counts as one failed test. */
  check(name: string, work: () => Promise<boolean>): Promise<boolean> {
    return this.step(name, async () => {
      const isGood = await work();
      if (!isGood) this.failed += 1;
      return isGood;
    });
  }

  /** A run of jest; one without any test has failed. */
  jest(name: string, run: JestRun): Promise<boolean> {
    return this.step(name, async () => {
      const { passed, skipped, files, output, ...totals } = await runJest(run);
      const failed = passed + skipped > 0 ? totals.failed : Math.max(1, totals.failed);
      this.passed += passed;
      this.failed += failed;
      if (skipped > 0) this.skips.push(`${name}: ${skipped}`);
      this.files.push(...files);
      if (run.quiet) process.stdout.write(failed > 0 ? output : reportsIn(output));
      return failed === 0;
    });
  }

  /** Prints the times and the counts; the program fails when anything has. */
  print(): void {
    const slowest = this.files.toSorted((one, other) => other.ms - one.ms).slice(0, slowestShown);
    const files = slowest.map(({ path, ms }) => `  ${(ms / 1_000).toFixed(1).padStart(7)} s  ${path}`);
    process.stdout.write(`\n${this.times.join('\n')}\n\nThe files that took longest:\n${files.join('\n')}\n`);
    if (this.skips.length > 0) process.stdout.write(`\nskipped on this machine: ${this.skips.join(', ')}\n`);
    process.stdout.write(`\n${this.passed} passed, ${this.failed} failed\n`);
    process.exitCode = this.failed > 0 ? 1 : 0;
  }

  private async step(name: string, work: () => Promise<boolean>): Promise<boolean> {
    process.stdout.write(`\n== ${name}\n`);
    const startedAt = performance.now();
    const isGood = await work();
    this.times.push(`  ${(isGood ? 'ok' : 'FAILED').padEnd(7)} ${name.padEnd(24)} ${seconds(startedAt)}`);
    return isGood;
  }
}

/** The lines in which the tests of random histories say what they have played, and from which seed. */
function reportsIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.includes('_SEED='));
  return lines.map((line) => `${line}\n`).join('');
}
