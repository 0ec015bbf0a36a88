import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@app/local-stack';
import { root } from '../bootstrap/paths.mjs';
import { type Mutant } from './mutant.js';
import { isProgram, plant } from './planting/fault.js';

const copied = [
  'apps',
  'libs',
  'test/setup',
  'jest.config.mjs',
  'nest-cli.json',
  'package.json',
  'tsconfig.json',
];

/** The server is started once for all runs, and nothing is built: no named spec needs a program of its own. */
const jestConfig = `import config from './jest.config.mjs';
const projects = config.projects
  .filter(({ displayName }) => ['unit', 'int'].includes(displayName))
  .map(({ globalSetup, globalTeardown, ...project }) => ({ ...project, testEnvironment: './fail-fast.mjs' }));
export default { ...config, projects };
`;

/**
 * The first test of a file that fails decides; jest's own `bail` ends at the next file only. After a failed set-up jest
 * fails all tests itself: if they were skipped, nothing would show it.
 */
const failFastEnvironment = `import { TestEnvironment } from 'jest-environment-node';
export default class FailFast extends TestEnvironment {
  failed = false;
  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure') this.failed = true;
    if (name === 'test_start' && this.failed) test.mode = 'skip';
  }
}
`;

/**
 * A copy of the sources, to be broken at will, with the project's packages: some are also read as files, by their place
 * beside the sources. The tree itself is only read.
 */
export class Workspace {
  readonly directory: string;

  constructor() {
    this.directory = claimDirectory(join(root, '.local/mutants'));
    for (const name of copied) {
      cpSync(join(root, name), join(this.directory, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), this.path('node_modules'));
    writeFileSync(this.jestConfig, jestConfig);
    writeFileSync(this.path('fail-fast.mjs'), failFastEnvironment);
  }

  get jestConfig(): string {
    return join(this.directory, 'jest.mutants.config.mjs');
  }

  path(file: string): string {
    return join(this.directory, file);
  }

  /** What keeps a mutant from being made, one sentence each: a list that no longer fits the code says so. */
  problemsOf(mutant: Mutant): string[] {
    const { name, file, killedBy, test = '' } = mutant;
    const missing = [file, ...killedBy].filter((needed) => !existsSync(this.path(needed)));
    if (missing.length > 0) return missing.map((needed) => `${name}: there is no ${needed}`);
    if (killedBy.length === 0) return [`${name}: no spec is named`];
    const isNamed = killedBy.some((spec) => readFileSync(this.path(spec), 'utf8').includes(test));
    if (!isNamed) return [`${name}: no test is called "${test}"`];
    try {
      const text = readFileSync(this.path(file), 'utf8');
      const planted = plant(mutant.fault, text);
      if (planted === text) return [`${name}: the fault changes nothing`];
      return isProgram(planted) ? [] : [`${name}: with the fault ${file} is no program`];
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : String(error)} (${file})`];
    }
  }

  /** Makes a mutant, runs `work` and undoes it. */
  async withMutant<Result>({ file, fault }: Mutant, work: () => Promise<Result>): Promise<Result> {
    const original = readFileSync(this.path(file), 'utf8');
    writeFileSync(this.path(file), plant(fault, original));
    try {
      return await work();
    } finally {
      writeFileSync(this.path(file), original);
    }
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
    rmSync(`${this.directory}.pid`, { force: true });
  }
}

/** The first number that no living run has: a stable path keeps jest's cache of compiled files warm. */
function claimDirectory(parent: string): string {
  mkdirSync(parent, { recursive: true });
  for (let number = 1; ; number += 1) {
    const directory = join(parent, String(number));
    const pidFile = `${directory}.pid`;
    if (existsSync(pidFile) && isAlive(Number(readFileSync(pidFile, 'utf8')))) continue;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    writeFileSync(pidFile, String(process.pid));
    return directory;
  }
}
