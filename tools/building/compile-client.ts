import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { run } from '../bootstrap/run.mjs';

const directory = join(root, 'libs/client');

/** Where the compiled client is: inside its package, from which it is published. */
export const clientOutput = join(directory, 'dist');

/** Compiles the client for `import` and for `require`; resolves to what the compiler says. */
export async function compileClient(): Promise<{ code: number; output: string }> {
  rmSync(clientOutput, { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  for (const [name, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ] as const) {
    const project = join(directory, `tsconfig.${name}.json`);
    const result = await run(process.execPath, [compiler, '--project', project], { quiet: true });
    if (result.code !== 0) return result;
    writeFileSync(join(clientOutput, name, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
  return { code: 0, output: '' };
}
