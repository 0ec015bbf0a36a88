import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The directories in `parent` with a matching name, highest number first; none when it can't be read. */
export function subdirectories(parent: string, pattern: RegExp): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => pattern.test(name))
      .sort((a, b) => Number.parseInt(b.replace(/\D+/, ''), 10) - Number.parseInt(a.replace(/\D+/, ''), 10))
      .map((name) => join(parent, name));
  } catch {
    return [];
  }
}
