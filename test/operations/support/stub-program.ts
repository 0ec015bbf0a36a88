import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** What a program was called with. */
export interface Call {
  readonly parameters: readonly string[];
  /** Its environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Content of each `--file`, as it was when it was called. */
  readonly files: readonly string[];
}

/** A program in Bash. */
export function writeProgram(path: string, lines: readonly string[]): void {
  writeFileSync(path, ['#!/usr/bin/env bash', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}

/**
 * A program, such as `docker`, that is found before the real one, does nothing and notes what it was called with.
 * `behaviour` is the body of a function of its parameters, which may print something and returns the exit code.
 */
export class StubProgram {
  private readonly directory = mkdtempSync(join(tmpdir(), 'stub-'));
  private readonly notes = join(this.directory, 'calls');

  constructor(name: string, behaviour = '') {
    const file = join(this.directory, name);
    const script = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const parameters = process.argv.slice(2);
const files = parameters.filter((_, index) => parameters[index - 1] === '--file').map((file) => readFileSync(file, 'utf8'));
appendFileSync(${JSON.stringify(this.notes)}, JSON.stringify({ parameters, variables: process.env, files }) + '\\n');
(async () => { ${behaviour} })().then((code) => process.exit(code ?? 0));
`;
    writeFileSync(file, script);
    chmodSync(file, 0o755);
  }

  /** The variables of this process, with this program before any other of its name. */
  get environment(): NodeJS.ProcessEnv {
    return { ...process.env, PATH: `${this.directory}${delimiter}${process.env.PATH ?? ''}` };
  }

  get calls(): Call[] {
    if (!existsSync(this.notes)) return [];
    const lines = readFileSync(this.notes, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Call);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
