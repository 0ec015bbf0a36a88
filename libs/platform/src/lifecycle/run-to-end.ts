import { ConfigError } from '../config/load-config.js';
import { showSourcePositions } from '../errors/source-positions.js';
import { StartError } from './start-error.js';

/** Runs the program's work; a failure is explained on standard error, exit 1. Stacks name lines of the sources. */
export function runToEnd(work: () => Promise<void>): void {
  showSourcePositions();
  work().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

/** The error text; with a stack only where the message alone may not suffice. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isPlain = error instanceof ConfigError || error instanceof StartError;
  return isPlain ? error.message : (error.stack ?? error.message);
}
