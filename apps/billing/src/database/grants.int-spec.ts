import { randomUUID } from 'node:crypto';
import { type Customer, type LedgerFixture, openLedger } from '../ledger/ledger.fixture.js';
import { grants } from './grants.js';

let ledger: LedgerFixture;
let customer: Customer;

beforeAll(async () => {
  ledger = await openLedger();
  customer = await ledger.customer(10);
  await customer.charge(ledger.replicas[0], 3);
});

afterAll(() => ledger.close());

async function asBilling(sql: string): Promise<unknown> {
  return ledger.dataSource.query(sql);
}

it('the list of grants names every table, and no other', async () => {
  const tables = await ledger.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
       AND NOT relispartition`,
  );
  expect(Object.keys(grants).sort()).toEqual(tables.map(({ name }) => name).sort());
});

describe('the role that billing runs with', () => {
  it.each([
    'ALTER TABLE ledger_entries DISABLE TRIGGER USER',
    'ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_sign',
    'DELETE FROM ledger_entries',
    'UPDATE ledger_entries SET credits = 9',
    'TRUNCATE ledger_entries',
    'DROP TABLE ledger_entries CASCADE',
    'ALTER TABLE charges DETACH PARTITION charges_ended',
    'SELECT FROM charges_ended',
    'SELECT FROM ledger_entries_default',
    'UPDATE lots SET remaining = 9',
    'DELETE FROM lots',
    'UPDATE api_keys SET account_id = id',
    'UPDATE charges SET credits = 0',
    "UPDATE adjustments SET reason = 'another'",
    'DELETE FROM migrations',
    "INSERT INTO migrations (timestamp, name) VALUES (1, 'done')",
    'CREATE TABLE own ()',
    'CREATE TRIGGER own BEFORE INSERT ON charges FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()',
    `CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT now()'`,
    'CREATE FUNCTION own() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    "SET session_replication_role = 'replica'",
    "SELECT setval('ledger_entries_id_seq', 1)",
    'ALTER ROLE test_billing SUPERUSER',
    'SET ROLE postgres',
    "COPY accounts TO PROGRAM 'cat'",
    "SELECT pg_read_file('postgresql.conf')",
  ])('is refused: %s', async (sql) => {
    await expect(asBilling(sql)).rejects.toThrow(/permission denied|must be owner|must be superuser/);
  });

  it.each(['accounts', 'people'])('deletes nothing in %s that anything refers to', async (table) => {
    const personId = await ledger.factory.member(await ledger.factory.account(), 'a@example.com');
    const id = table === 'people' ? personId : customer.accountId;
    await expect(asBilling(`DELETE FROM ${table} WHERE id = '${id}'`)).rejects.toThrow(
      'violates foreign key constraint',
    );
  });

  it("can't attach the trigger that changes lots to a table of its own", async () => {
    // By default a database lets every role create temporary tables.
    const runner = ledger.dataSource.createQueryRunner();
    try {
      await runner.query('CREATE TEMPORARY TABLE own (lot_id uuid, credits integer)');
      const tie = runner.query(`CREATE TRIGGER own AFTER INSERT ON own REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION apply_entries_to_lots()`);
      await expect(tie).rejects.toThrow('permission denied for function apply_entries_to_lots');
    } finally {
      await runner.query('DROP TABLE own');
      await runner.release();
    }
  });

  it("can't redirect that trigger to another table with a search path", async () => {
    const runner = ledger.dataSource.createQueryRunner();
    try {
      await runner.query('CREATE TEMPORARY TABLE lots (id uuid, remaining integer)');
      await runner.query('SET search_path = pg_temp, public');
      const id = randomUUID();
      await runner.query(
        `INSERT INTO public.lots (id, account_id, pack, reference, credits, price_cents, purchased_at, expires_at, created_at)
         VALUES ($1, $2, 'trial', 'one', 50, 1900, now(), now() + interval '30 days', now())`,
        [id, customer.accountId],
      );
      await runner.query(
        `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at) SELECT account_id, id, 'purchase', 50, created_at FROM public.lots WHERE id = $1`,
        [id],
      );
      expect(await ledger.query('SELECT remaining FROM lots WHERE id = $1', [id])).toEqual([
        { remaining: 50 },
      ]);
    } finally {
      await runner.query('RESET search_path; DROP TABLE pg_temp.lots');
      await runner.release();
    }
  });
});

it("the connections of reports can't write", async () => {
  await expect(ledger.reports.query('DELETE FROM accounts')).rejects.toThrow('read-only transaction');
});
