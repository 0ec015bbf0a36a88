import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const generator = resolve('node_modules/openapi-typescript/bin/cli.js');
const compiler = resolve('node_modules/typescript/bin/tsc');
const options = [
  ...['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'],
  ...['--typeRoots', 'none'],
];

/**
 * What the strict compiler says about a program that imports the types of docs/openapi.json from './api.js'; empty when it is
 * content.
 */
export function compileWithTypes(program: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-types-'));
  try {
    const types = join(directory, 'api.ts');
    execFileSync(process.execPath, [generator, resolve('docs/openapi.json'), '-o', types], {
      stdio: 'ignore',
    });
    writeFileSync(join(directory, 'use.ts'), program);
    execFileSync(process.execPath, [compiler, ...options, 'use.ts'], { cwd: directory, encoding: 'utf8' });
    return '';
  } catch (error) {
    return String(Reflect.get(error as Error, 'stdout') ?? error);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
