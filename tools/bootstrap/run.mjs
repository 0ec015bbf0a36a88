import { performance } from 'node:perf_hooks';
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/** Runs a command in the project's directory; its output goes to the terminal unless `quiet`. Resolves to {code, output}. */
export function run(command, parameters, { quiet = false, env = process.env } = {}) {
  return new Promise((resolve) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, parameters, { cwd: root, stdio, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
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
