#!/usr/bin/env node
// The program of the image of the command line.
import { resolve } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { runProgram } from './program.js';

await runProgram({
  command: 'creator-search',
  directory: process.cwd(),
  stackFile: null,
  wikidataTables: resolve(root, 'tools/cli/wikidata/tables'),
});
