import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
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
  readonly testResults?: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

const slowestShown = 10;

/** Runs the steps of `npm test` or `npm run test:long`, and says in the end how they went and what took longest. */
export class Verdict {
  private passed = 0;
  private failed = 0;
  /** The tests that this machine can't run, by step; each of these runs has said why. */
  private readonly skips: string[] = [];
  private readonly times: string[] = [];
  private readonly files: { readonly path: string; readonly ms: number }[] = [];

  /** A step without tests to count: its failure counts as one failed test. */
  check(name: string, work: () => Promise<boolean>): Promise<boolean> {
    return this.step(name, async () => {
      const isGood = await work();
      if (!isGood) this.failed += 1;
      return isGood;
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
      if (skipped > 0) this.skips.push(`${name}: ${skipped}`);
      for (const { name: path, startTime, endTime } of results.testResults ?? []) {
        this.files.push({ path: relative(root, path), ms: endTime - startTime });
      }
      if (jestRun.quiet) process.stdout.write(failed > 0 ? output : reportsIn(output));
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
