import { performance } from 'node:perf_hooks';
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Runs a command in the project's directory; its output goes to the terminal unless `quiet`. `signal` interrupts it, as Ctrl-C
 * does; `detached` keeps Ctrl-C from it. Resolves to {code, output} when it has ended.
 */
export function run(
  command,
  parameters,
  { quiet = false, env = process.env, signal, detached = false } = {},
) {
  return new Promise((resolve) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, parameters, { cwd: root, stdio, env, detached });
    const interrupt = () => child.kill('SIGINT');
    if (signal?.aborted) interrupt();
    signal?.addEventListener('abort', interrupt);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const end = (result) => {
      signal?.removeEventListener('abort', interrupt);
      resolve(result);
    };
    child.once('error', (error) => end({ code: 1, output: error.message }));
    child.once('close', (code) => end({ code: code ?? 1, output }));
  });
}

export function seconds(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** Ends this program with a message for its user. */
export function fail(message) {
  process.stderr.write(`${message.trimEnd()}\n`);
  process.exit(1);
}
