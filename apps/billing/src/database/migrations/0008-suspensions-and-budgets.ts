import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Accounts can be suspended; keys expire, have two secrets for a while, and a limit of credits in a month. Replicas of the version before know none of it, which is
 * right while a version is rolled out: a gateway that can ask for it is ready only once none of them is left (`messageRevision`).
 * Until then they call the function of before, which stays: it has other parameters. While an installation goes back to the version
 * before, nothing of this is looked at; what a key spends then is missing from its month, and the audit says so.
 */
export class SuspensionsAndBudgets1797120007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...suspensions, ...keys, ...budgets, chargeIfUnchanged]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const suspensions = [
  'ALTER TABLE accounts ADD COLUMN suspended_at timestamptz(3)',
  'ALTER TABLE accounts ADD COLUMN suspension_reason text',
  `ALTER TABLE accounts ADD CONSTRAINT accounts_suspension_whole
    CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL))`,
];

/** A rotated key has two secrets for a while. */
const keys = [
  'ALTER TABLE api_keys ADD COLUMN expires_at timestamptz(3)',
  'ALTER TABLE api_keys ADD COLUMN rotated_at timestamptz(3)',
  'ALTER TABLE api_keys ADD COLUMN previous_hash text',
  'ALTER TABLE api_keys ADD COLUMN previous_prefix text',
  'ALTER TABLE api_keys ADD COLUMN previous_valid_until timestamptz(3)',
  `ALTER TABLE api_keys ADD CONSTRAINT api_keys_previous_whole CHECK (
    (previous_hash IS NULL) = (previous_valid_until IS NULL) AND (previous_hash IS NULL) = (previous_prefix IS NULL)
  )`,
  'CREATE INDEX api_keys_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL',
];

/**
 * `spent` is what a key with a limit has spent in the calendar month (UTC) since `spent_since`: its pending and posted charges. No
 * index has it, so that PostgreSQL can write it in place. The constraints on charges and notices were narrower: no row breaks them.
 */
const budgets = [
  'ALTER TABLE api_keys ADD COLUMN monthly_limit integer',
  'ALTER TABLE api_keys ADD COLUMN spent bigint',
  'ALTER TABLE api_keys ADD COLUMN spent_since timestamptz(3)',
  'ALTER TABLE api_keys ADD CONSTRAINT api_keys_monthly_limit_range CHECK (monthly_limit BETWEEN 1 AND 1000000000)',
  'ALTER TABLE api_keys ADD CONSTRAINT api_keys_spent_not_negative CHECK (spent >= 0)',
  `ALTER TABLE api_keys ADD CONSTRAINT api_keys_budget_whole
    CHECK ((monthly_limit IS NULL) = (spent IS NULL) AND (monthly_limit IS NULL) = (spent_since IS NULL))`,
  'CREATE INDEX api_keys_limited ON api_keys (spent_since) WHERE monthly_limit IS NOT NULL',
  'ALTER TABLE charges DROP CONSTRAINT charges_refusal_known',
  `ALTER TABLE charges ADD CONSTRAINT charges_refusal_known CHECK (refusal IN
    ('insufficient_credits', 'key_limit_reached', 'key_revoked', 'idempotency_key_reused', 'earlier_call_pending')) NOT VALID`,
  'ALTER TABLE notices DROP CONSTRAINT notices_kind_known',
  `ALTER TABLE notices ADD CONSTRAINT notices_kind_known CHECK (kind IN
    ('balance_low', 'key_limit_near', 'key_limit_reached', 'lot_expiring', 'payment_received', 'test'))`,
];

/**
 * Locks the accounts in the order of their ids, reads the clock, and then looks whether all is as the caller took it to be:
 * the unexpired lots of the charged accounts (`known_*`, in the order in which they are spent), no overdue charge, keys and secrets in use, new
 * charge ids and Idempotency-Keys (`given_hashes`), and pending charges to post. Only then it writes, and says `written`. It says
 * `lots_changed`, with the lots, when only they differ, and otherwise `changed`. Each statement of a volatile function
 * sees what was committed before it began, also while the lock was waited for.
 */
const chargeIfUnchanged = `
CREATE FUNCTION charge_if_unchanged(
  account_ids uuid[], known_lots uuid[], known_remaining integer[],
  pending_ms integer,
  charge_ids uuid[], charge_accounts uuid[], charge_keys uuid[], secret_hashes text[], request_ids text[], operations text[], prices integer[],
  states text[], refusals text[], balances bigint[], filter_names text[], totals integer[], key_hashes text[],
  fingerprints text[], given_hashes text[],
  entry_charges uuid[], entry_accounts uuid[], entry_lots uuid[], entry_credits integer[],
  posted_charges uuid[], posted_accounts uuid[],
  OUT outcome text, OUT instant timestamptz,
  OUT lot_accounts uuid[], OUT lot_ids uuid[], OUT purchases timestamptz[], OUT expiries timestamptz[],
  OUT credits_left integer[]
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  found_accounts integer;
  usable_keys integer;
  limited_keys integer;
  month timestamptz;
BEGIN
  PERFORM FROM accounts AS locked WHERE id = ANY(account_ids) ORDER BY id FOR NO KEY UPDATE;
  GET DIAGNOSTICS found_accounts = ROW_COUNT;
  instant := ledger_now();

  IF found_accounts <> cardinality(account_ids)
    OR EXISTS (
      SELECT FROM charges
      WHERE account_id = ANY(account_ids) AND state = 'pending' AND pending_until <= instant
    )
    OR cardinality(posted_charges) <> (
      SELECT count(*) FROM unnest(posted_charges, posted_accounts) AS posted (id, account_id)
      JOIN charges ON charges.id = posted.id AND charges.account_id = posted.account_id AND state = 'pending'
    )
  THEN
    outcome := 'changed';
    RETURN;
  END IF;

  IF cardinality(charge_ids) > 0 THEN
    SELECT count(*), count(monthly_limit) INTO usable_keys, limited_keys
      FROM unnest(charge_keys, charge_accounts, secret_hashes) AS used (key_id, account_id, secret)
      JOIN api_keys ON api_keys.id = used.key_id AND api_keys.account_id = used.account_id
      JOIN accounts ON accounts.id = used.account_id
      WHERE active AND deleted_at IS NULL AND suspended_at IS NULL
        AND (expires_at IS NULL OR expires_at > instant)
        AND (secret IS NULL OR secret = hash OR (secret = previous_hash AND previous_valid_until > instant));
    IF EXISTS (SELECT FROM charges WHERE id = ANY(charge_ids))
      OR EXISTS (SELECT FROM charge_tombstones AS voids WHERE charge_id = ANY(charge_ids))
      OR EXISTS (
        SELECT FROM charges AS earlier
        WHERE idempotency_key_hash = ANY(given_hashes) AND idempotency_key_hash IS NOT NULL
          AND state IN ('pending', 'posted')
      )
      OR cardinality(charge_ids) <> usable_keys
    THEN
      outcome := 'changed';
      RETURN;
    END IF;

    IF limited_keys > 0 THEN
      month := date_trunc('month', instant, 'UTC');
      IF EXISTS (
        SELECT FROM (
          SELECT key_id, sum(price) AS credits FROM unnest(charge_keys, prices, states) AS new (key_id, price, state)
          WHERE new.state = 'pending' GROUP BY key_id
        ) AS taken
        JOIN api_keys ON api_keys.id = taken.key_id
        WHERE taken.credits > monthly_limit - CASE WHEN spent_since < month THEN 0 WHEN spent_since = month THEN spent
          ELSE monthly_limit END
      ) THEN
        outcome := 'changed';
        RETURN;
      END IF;
    END IF;

    SELECT coalesce(array_agg(lots.account_id), '{}'), coalesce(array_agg(lots.id), '{}'), array_agg(purchased_at),
        array_agg(expires_at), coalesce(array_agg(remaining), '{}')
      INTO lot_accounts, lot_ids, purchases, expiries, credits_left
      FROM (
        SELECT * FROM lots WHERE account_id = ANY(charge_accounts) AND expires_at > instant ORDER BY purchased_at, id
      ) AS lots;
    IF (lot_ids, credits_left) <> (known_lots, known_remaining) THEN
      outcome := 'lots_changed';
      RETURN;
    END IF;

    INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, refusal, credits_remaining,
        created_at, pending_until, settled_at, filters, total, idempotency_key_hash, fingerprint)
      SELECT id, account_id, key_id, request_id, operation, price, new.state, new.refusal, balance,
        instant, instant + pending_ms * interval '1 millisecond', CASE WHEN new.state <> 'pending' THEN instant END,
        new.filters, new.total, key_hash, new.fingerprint
      FROM unnest(charge_ids, charge_accounts, charge_keys, request_ids, operations, prices, states, refusals, balances,
        filter_names, totals, key_hashes, fingerprints) AS new (id, account_id, key_id, request_id, operation, price, state,
        refusal, balance, filters, total, key_hash, fingerprint);
    INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
      SELECT account_id, lot_id, 'charge', new.credits, charge_id, instant
      FROM unnest(entry_charges, entry_accounts, entry_lots, entry_credits) AS new (charge_id, account_id, lot_id, credits);
    IF limited_keys > 0 THEN
      UPDATE api_keys
        SET spent = CASE WHEN spent_since = month THEN spent ELSE 0 END + taken.credits, spent_since = month
        FROM (
          SELECT key_id, sum(price) AS credits FROM unnest(charge_keys, prices, states) AS new (key_id, price, state)
          WHERE new.state = 'pending' GROUP BY key_id
        ) AS taken
        WHERE api_keys.id = taken.key_id AND monthly_limit IS NOT NULL;
    END IF;
  END IF;

  IF cardinality(posted_charges) > 0 THEN
    UPDATE charges SET state = 'posted', settled_at = instant WHERE id = ANY(posted_charges) AND state = 'pending';
  END IF;
  outcome := 'written';
END $$`;
