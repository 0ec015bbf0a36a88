#!/usr/bin/env node
// The program of the package creator-search-cli.
import { resolve } from 'node:path';
import { runProgram } from './run-program.js';

await runProgram({
  command: 'creator-search',
  directory: process.cwd(),
  stackFile: null,
  wikidataTables: resolve(import.meta.dirname, 'wikidata/tables'),
});
