import { spawn, type SpawnOptions } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

export interface RunResult {
  readonly code: number | null;
  readonly output: string;
}

const outputLengthMax = 200_000;

/** Runs a command to its end; `output` is both of its streams. A command that can't be started has code null. */
export function run(
  command: string,
  parameters: readonly string[],
  options: SpawnOptions = {},
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-outputLengthMax);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Runs a command to its end, and throws with the end of its output when it fails. */
export async function runOrThrow(
  command: string,
  parameters: readonly string[],
  options: SpawnOptions = {},
): Promise<string> {
  const { code, output } = await run(command, parameters, options);
  if (code === 0) return output;
  throw new Error(`${command} ${parameters.join(' ')} failed (${code ?? 'not started'}):\n${tail(output)}`);
}

const tailLines = 20;

/** The last lines of a log. */
export function tail(text: string): string {
  return text.trimEnd().split('\n').slice(-tailLines).join('\n');
}

/** Whether a process of this machine has this pid. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
