import { readFileSync } from 'node:fs';

const schemas = ['billing', 'catalog'];

/** The tables of a service, of its schema as PostgreSQL dumps it. */
function tablesOf(schema: string): string[] {
  const dump = readFileSync(`docs/schema/${schema}.sql`, 'utf8');
  return [...dump.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table = '']) => `${schema}.${table}`);
}

it('every table has a bound, which is written down', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  const [, section = ''] = /^### How tables grow$([^]*?)^## /m.exec(text) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const bound = rows.flatMap((row) => {
    const [, tables = '', rule = ''] = row.split('|');
    expect(rule.trim()).not.toBe('');
    return [...tables.matchAll(/`([\w.]+)`/g)].map(([, table]) => table);
  });
  expect(bound.sort()).toEqual(schemas.flatMap(tablesOf).sort());
});
