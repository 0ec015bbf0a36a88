import { readFileSync } from 'node:fs';
import { databaseNames } from '@app/local-stack';
import { describeSchemas, schemaPages } from '../../tools/docs/schema-pages.js';

it('docs/schema says what the migrations make; `npm run docs` writes it', async () => {
  const schemas = await describeSchemas();
  for (const name of databaseNames) {
    expect(readFileSync(schemaPages[name], 'utf8')).toBe(schemas[name]);
  }
}, 60_000);
