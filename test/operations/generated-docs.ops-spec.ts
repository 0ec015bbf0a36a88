import { readFileSync } from 'node:fs';
import { databaseNames } from '#dev';
import { describeSchemas, schemaPages } from '../../tools/docs/schema-pages.js';

// If a test fails, run `npm run docs`.

it('docs/schema describes the tables that the migrations create', async () => {
  const schemas = await describeSchemas();
  for (const name of databaseNames) expect(readFileSync(schemaPages[name], 'utf8')).toBe(schemas[name]);
}, 60_000);
