import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { run } from '../bootstrap/run.mjs';

const program = join(root, 'node_modules/jest/bin/jest.js');

export interface JestRun {
  readonly project: string;
  readonly parameters?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Captures jest's output for the caller. Default: it goes to the terminal. */
  readonly quiet?: boolean;
}

export interface JestTotals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly files: readonly TestFile[];
  /** The output of a quiet run. */
  readonly output: string;
}

export interface TestFile {
  readonly path: string;
  readonly ms: number;
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

/**
 * Runs one jest project and counts its tests. A suite that could not run, or a run that failed otherwise, counts as one
 * failed test.
 */
export async function runJest({
  project,
  parameters = [],
  environment = {},
  quiet,
}: JestRun): Promise<JestTotals> {
  const directory = mkdtempSync(join(tmpdir(), 'results-'));
  const outputFile = join(directory, 'results.json');
  const { code, output } = await run(
    process.execPath,
    [program, '--selectProjects', project, '--json', '--outputFile', outputFile, ...parameters],
    { quiet, env: { ...process.env, ...environment } },
  );
  const results = readResults(outputFile);
  rmSync(directory, { recursive: true });
  const failed = (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0);
  return {
    passed: results.numPassedTests ?? 0,
    failed: code === 0 ? failed : Math.max(1, failed),
    skipped: results.numPendingTests ?? 0,
    files: (results.testResults ?? []).map(({ name, startTime, endTime }) => ({
      path: relative(root, name),
      ms: endTime - startTime,
    })),
    output,
  };
}

function readResults(file: string): Results {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
}
