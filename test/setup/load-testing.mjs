import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from '@swc/core';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'libs/testing/src');
const target = join(root, 'dist/test-setup');
const options = { jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } } };

/**
 * Imports a module of libs/testing as it is now, compiled on the spot: the set-up files of jest run before any transform,
 * and a test run should not depend on the age of the last build.
 */
export async function loadTesting(path, rooms) {
  const files = rooms.flatMap((room) =>
    readdirSync(join(source, room))
      .filter((name) => name.endsWith('.ts') && !/(spec|\.fixture)\.ts$/.test(name))
      .map((name) => join(room, name)),
  );
  await Promise.all(files.map(compile));
  return import(pathToFileURL(join(target, path)).href);
}

async function compile(file) {
  const { code } = await transform(readFileSync(join(source, file), 'utf8'), { ...options, swcrc: false });
  const output = join(target, file.replace(/\.ts$/, '.js'));
  if (existsSync(output) && readFileSync(output, 'utf8') === code) return;
  mkdirSync(dirname(output), { recursive: true });
  const unfinished = `${output}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, output);
}
