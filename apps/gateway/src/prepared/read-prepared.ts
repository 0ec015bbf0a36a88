import { readFileSync } from 'node:fs';
import { PreparedFile } from './prepared-file.js';

export const contentTypes = {
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  icon: 'image/x-icon',
} as const;

/** The files of a directory as one, one after the other. */
export function readPrepared(type: string, directory: URL, ...names: readonly string[]): PreparedFile {
  return new PreparedFile(type, Buffer.concat(names.map((name) => readFileSync(new URL(name, directory)))));
}
