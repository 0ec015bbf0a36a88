import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../errors.js';
import { blanked } from './blank.js';

/** Writes what Stripe answered, blanked, as `NAME.json`: the last answer of each name. Throws `CliError` when it can't. */
export class Recorder {
  constructor(private readonly directory: string) {
    this.attempt(() => mkdirSync(directory, { recursive: true }));
  }

  write(name: string, object: unknown): void {
    const text = `${JSON.stringify(blanked(object), null, 2)}\n`;
    this.attempt(() => writeFileSync(join(this.directory, `${name}.json`), text));
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliError(`Stripe's answers can't be recorded: ${reason}`);
    }
  }
}
