import { queryName } from './observed-query.js';

it.each([
  ['SELECT 1', 'select'],
  ['BEGIN ISOLATION LEVEL READ COMMITTED', 'begin'],
  ['SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', 'select accounts'],
  [
    'SELECT ids, ledger_now() AS now FROM (SELECT id FROM accounts FOR UPDATE SKIP LOCKED) AS locked',
    'select accounts',
  ],
  [
    '\n  INSERT INTO charges (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id',
    'insert charges',
  ],
  ['UPDATE imports SET next_seq = 1', 'update imports'],
  [
    'WITH batch AS (SELECT ctid FROM claims), gone AS (DELETE FROM claims) SELECT count(*) FROM gone',
    'delete claims',
  ],
  ['WITH wanted AS (SELECT id FROM charges) SELECT * FROM wanted', 'with charges'],
])('%j is called %s', (sql, name) => {
  expect(queryName(sql)).toBe(name);
});
