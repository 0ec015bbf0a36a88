import { resolve } from 'node:path';
import { defaultDataDirectory } from './options.js';

/** The command line that stops the stack of a data directory. */
export function stopLine(dataDirectory: string): string {
  return ['npm stop', ...dataDirectoryOption(dataDirectory)].join(' -- ');
}

/** The beginning of a command line that operates the stack of a data directory. */
export function cliLine(dataDirectory: string): string {
  return ['npm run cli --', ...dataDirectoryOption(dataDirectory)].join(' ');
}

/** Empty for the default directory. */
function dataDirectoryOption(dataDirectory: string): string[] {
  return dataDirectory === resolve(defaultDataDirectory) ? [] : [`--data-dir ${quoted(dataDirectory)}`];
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
