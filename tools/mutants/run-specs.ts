import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { type Workspace } from './workspace.js';

const jest = join(root, 'node_modules/jest/bin/jest.js');
const outputLengthMax = 4_000;

/** Failures that say that the mutant is no program, or that a server is gone, not that a test noticed it. */
const notNoticed =
  /\b(SyntaxError|ReferenceError|Cannot find module|is not a function|is not defined|ECONNREFUSED)\b/;

export interface TestResult {
  readonly name: string;
  readonly spec: string;
  readonly status: string;
  /** The first of its failures. */
  readonly message: string;
}

export interface SpecsResult {
  readonly passed: readonly TestResult[];
  readonly failed: readonly TestResult[];
  /** Why the run says nothing: a spec that could not be loaded, a run without any test, one that never ended. */
  readonly trouble?: string;
}

interface RunOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly inBand?: boolean;
  readonly test?: string;
}

/** What jest writes about a run. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** jest's project of a spec, from its name. */
function projectOf(spec: string): string {
  return spec.endsWith('.int-spec.ts') ? 'int' : 'unit';
}

/** Runs specs of a workspace. Not with `--bail`: jest would leave without writing the results. */
export async function runSpecs(
  workspace: Workspace,
  specs: readonly string[],
  { environment, timeoutMs, inBand = false, test }: RunOptions,
): Promise<SpecsResult> {
  const outputFile = workspace.path('results.json');
  rmSync(outputFile, { force: true });
  const parameters = [
    ...[jest, '--config', workspace.jestConfig, '--json', '--silent'],
    ...['--outputFile', outputFile, '--forceExit', ...(inBand ? ['--runInBand'] : [])],
    ...(test === undefined ? [] : ['--testNamePattern', test]),
    ...['--selectProjects', ...new Set(specs.map(projectOf))],
    ...['--runTestsByPath', ...specs.map((spec) => workspace.path(spec))],
  ];
  const { output, timedOut } = await run(parameters, environment, timeoutMs);
  if (timedOut) return { passed: [], failed: [], trouble: `no end after ${timeoutMs / 1_000} s` };
  if (!existsSync(outputFile)) return { passed: [], failed: [], trouble: output.slice(-outputLengthMax) };
  return read(JSON.parse(readFileSync(outputFile, 'utf8')) as Report, workspace);
}

function read({ testResults }: Report, workspace: Workspace): SpecsResult {
  const tests = testResults.flatMap((suite) =>
    suite.assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: fullName,
      spec: suite.name.slice(workspace.directory.length + 1),
      status,
      message: failureMessages[0] ?? '',
    })),
  );
  const unloaded = testResults.find((suite) => suite.assertionResults.length === 0);
  const failed = tests.filter(({ status }) => status === 'failed');
  const passed = tests.filter(({ status }) => status === 'passed');
  const noProgram = failed.find(({ message }) => notNoticed.test(message.split('\n    at ')[0] ?? ''));
  const noTest = failed.length + passed.length === 0 ? 'no test ran' : undefined;
  const trouble = unloaded?.message ?? noProgram?.message ?? noTest;
  return { passed, failed, trouble: trouble?.slice(0, outputLengthMax) };
}

/** In a process group of its own, so that whatever it started ends with it. */
function run(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<{ output: string; timedOut: boolean }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    process.once('exit', end);
    let output = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    child.once('close', () => {
      clearTimeout(timer);
      process.off('exit', end);
      resolve({ output, timedOut });
    });
  });
}
