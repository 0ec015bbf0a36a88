import { randomUUID } from 'node:crypto';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;

interface LotOptions {
  readonly accountId: string;
  readonly credits: number;
  /** Default: the ledger's now. */
  readonly purchasedAt?: Date;
  readonly id?: string;
}

/** What the factory stores as the hash of a key's secret. */
export function keyHashOf(keyId: string): string {
  return (keyId + keyId).replaceAll('-', '');
}

/** Fills a billing database with the initial data of a test, only by SQL. */
export class BillingFactory {
  private hasTestClock = false;
  private monthsUntil = new Date();

  constructor(private readonly query: Query) {}

  /** An account without keys or credits; returns its id. */
  async account(): Promise<string> {
    const id = randomUUID();
    await this.query('INSERT INTO accounts (id, name, email, created_at) VALUES ($1, $2, $3, ledger_now())', [
      id,
      `Account ${id}`,
      `${id}@example.com`,
    ]);
    return id;
  }

  /** A member of the account, known by this address; returns the id of the person. */
  async member(accountId: string, email: string, role: 'owner' | 'member' = 'member'): Promise<string> {
    await this.query(
      `INSERT INTO people (id, email_folded, created_at) VALUES ($1, $2, ledger_now()) ON CONFLICT DO NOTHING`,
      [randomUUID(), email],
    );
    const [member] = (await this.query(
      `INSERT INTO members (account_id, person_id, role, added_at)
       SELECT $1, id, $3, ledger_now() FROM people WHERE email_folded = $2 RETURNING person_id`,
      [accountId, email, role],
    )) as { person_id: string }[];
    if (!member) throw new Error(`no person ${email}`);
    return member.person_id;
  }

  /** An active key of the account in the given slot (1 to 5); returns its id. */
  async key(accountId: string, slot = 1): Promise<string> {
    const id = randomUUID();
    await this.query(
      `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at)
       VALUES ($1, $2, 'test', $3, 'csk_test', $4, ledger_now())`,
      [id, accountId, keyHashOf(id), slot],
    );
    return id;
  }

  /** A purchased lot, filled by its opening entry; returns its id. */
  async lot({ accountId, credits, purchasedAt, id = randomUUID() }: LotOptions): Promise<string> {
    const at = purchasedAt ?? (await this.now());
    await this.query(
      `INSERT INTO lots (id, account_id, pack, reference, credits, price_cents, purchased_at, expires_at, created_at)
       VALUES ($1, $2, 'trial', $3, $4, 1900, $5, $6, ledger_now())`,
      [id, accountId, `reference ${id}`, credits, at, new Date(at.getTime() + lifetimeMs)],
    );
    await this.query(
      `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
       SELECT account_id, id, 'purchase', credits, created_at FROM lots WHERE id = $1`,
      [id],
    );
    return id;
  }

  /** Switches a key off, as an operator does: under the lock of its account. */
  async switchOff(keyId: string): Promise<void> {
    await this.query(
      `WITH locked AS MATERIALIZED (
         SELECT accounts.id FROM accounts JOIN api_keys ON api_keys.account_id = accounts.id
         WHERE api_keys.id = $1 FOR NO KEY UPDATE OF accounts
       )
       UPDATE api_keys SET active = false WHERE id = $1 AND account_id IN (SELECT id FROM locked)`,
      [keyId],
    );
  }

  /** Stops the ledger's clock of this database at `at`. */
  async setClock(at: Date): Promise<void> {
    if (!this.hasTestClock) await this.replaceClock();
    // One statement: a concurrent command reads the time before or after, never none.
    await this.query(
      'INSERT INTO test_clock (at) VALUES ($1) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
      [at],
    );
    await this.addMonths(at);
  }

  /** Lets the ledger's clock show the server's time again. */
  async startClock(): Promise<void> {
    if (this.hasTestClock) await this.query('DELETE FROM test_clock');
  }

  /** Makes the last month of each table last for ever: a suite that lives for decades would make hundreds. */
  async endTheCalendar(): Promise<void> {
    await this.query(endlessSql);
  }

  /** The months that the sweep would have made until then. */
  private async addMonths(until: Date): Promise<void> {
    if (until <= this.monthsUntil) return;
    while (await this.addMonth());
    this.monthsUntil = until;
  }

  private async addMonth(): Promise<boolean> {
    const rows = (await this.query('SELECT add_ledger_months() AS added')) as { added: number }[];
    return rows[0]?.added !== 0;
  }

  private async replaceClock(): Promise<void> {
    await this.query(
      `CREATE TABLE IF NOT EXISTS test_clock (id boolean PRIMARY KEY DEFAULT true, at timestamptz(3) NOT NULL);
       GRANT SELECT ON test_clock TO PUBLIC;
       CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE
       AS 'SELECT coalesce((SELECT at FROM test_clock), date_trunc(''milliseconds'', clock_timestamp()))'`,
    );
    this.hasTestClock = true;
  }

  private async now(): Promise<Date> {
    const rows = (await this.query('SELECT ledger_now() AS now')) as { now: Date }[];
    if (!rows[0]) throw new Error('ledger_now() gave no row');
    return rows[0].now;
  }
}

const endlessSql = `
DO $$
DECLARE
  last record;
BEGIN
  FOR last IN
    SELECT DISTINCT ON (inhparent) inhparent::regclass AS parent, relname AS name,
      (regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'FROM \\(''([^'']+)''\\)'))[1] AS starts
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent IN ('ledger_entries'::regclass, 'charges_ended'::regclass)
      AND pg_get_expr(relpartbound, pg_class.oid) <> 'DEFAULT'
    ORDER BY inhparent, right(relname, 7) DESC
  LOOP
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %I', last.parent, last.name);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', last.name, left(last.name, -7) || '9999_11');
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      last.parent, left(last.name, -7) || '9999_11', last.starts, '9999-12-01');
  END LOOP;
END $$`;
