import { readFileSync } from 'node:fs';
import { describeApi } from '../../apps/gateway/src/reference/document/describe-api.js';
import { type Examples } from '../../apps/gateway/src/reference/document/examples.js';
import { examplesFile } from './openapi-examples.js';

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

it('docs/openapi.json is what the code says; `npm run docs` writes it', () => {
  expect(readJson('docs/openapi.json')).toEqual(describeApi(readJson(examplesFile) as Examples));
});
