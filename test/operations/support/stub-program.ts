import { chmodSync, writeFileSync } from 'node:fs';

/** A program in Bash. */
export function writeProgram(path: string, lines: readonly string[]): void {
  writeFileSync(path, ['#!/usr/bin/env bash', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}
