import { readFileSync } from 'node:fs';
import { databaseNames } from '#local-stack';
import { writtenExamples } from '../../tools/docs/openapi.js';
import { collectExamples } from '../../tools/docs/openapi-examples.js';
import { describeSchemas, schemaPages } from '../../tools/docs/schema-pages.js';

// If a test fails, run `npm run docs`.

it('docs/schema describes the tables that the migrations create', async () => {
  const schemas = await describeSchemas();
  for (const name of databaseNames) expect(readFileSync(schemaPages[name], 'utf8')).toBe(schemas[name]);
}, 60_000);

it('the examples in the OpenAPI document are answers of the service', async () => {
  expect(writtenExamples()).toEqual(await collectExamples());
}, 90_000);
