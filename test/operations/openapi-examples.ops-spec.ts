import { readFileSync } from 'node:fs';
import { collectExamples, examplesFile } from '../../tools/docs/openapi-examples.js';

it('the examples in the OpenAPI document are what the service answers; `npm run docs` writes them', async () => {
  const written: unknown = JSON.parse(readFileSync(examplesFile, 'utf8'));
  expect(written).toEqual(await collectExamples());
}, 90_000);
