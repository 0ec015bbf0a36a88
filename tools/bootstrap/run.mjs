import { performance } from 'node:perf_hooks';
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Runs a command in the project's directory; its output goes to the terminal unless `quiet`. `signal` interrupts it, as Ctrl-C
 * does; `detached` keeps Ctrl-C from it. Resolves when it has ended; `output` is what a quiet one wrote.
 *
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv, signal?: AbortSignal, detached?: boolean }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(
  command,
  parameters,
  { quiet = false, env = process.env, signal, detached = false } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      cwd: root,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env,
      detached,
    });
    const interrupt = () => child.kill('SIGINT');
    if (signal?.aborted) interrupt();
    signal?.addEventListener('abort', interrupt);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const end = (/** @type {{ code: number, output: string }} */ result) => {
      signal?.removeEventListener('abort', interrupt);
      resolve(result);
    };
    child.once('error', (error) => end({ code: 1, output: error.message }));
    child.once('close', (code) => end({ code: code ?? 1, output }));
  });
}

/**
 * The time since then, for display.
 *
 * @param {number} startedAt of `performance.now()`
 */
export function seconds(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/**
 * Prints progress on standard error. Standard output belongs to the program that follows, whose JSON a script may read.
 *
 * @param {string} text
 */
export function progress(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Prints an error message and exits with 1.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`${message.trimEnd()}\n`);
  process.exit(1);
}
