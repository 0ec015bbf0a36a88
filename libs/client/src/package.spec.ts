import { readFileSync } from 'node:fs';
import { version } from './http/http-client.js';

const directory = 'libs/client';
const read = (file: string): string => readFileSync(`${directory}/${file}`, 'utf8');
const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;

it('sends servers its version', () => {
  expect(version).toBe(manifest.version);
});

it('has notes for its version', () => {
  expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
});
