import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A charge changes `remaining` of a lot, and nothing else. No index has that column in it or in its condition now, and
 * pages of lots have room, so PostgreSQL writes the row again beside itself and leaves all five indexes as they are (a HOT
 * update). Which lots are still to expire says `is_open` instead, which changes once.
 */
export class LotsInPlace1797120003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      addIsOpen,
      guardLots,
      applyEntries,
      applyAsOwner,
      closeExpired,
      'DROP INDEX lots_to_expire',
      'CREATE INDEX lots_to_expire ON lots (expires_at) WHERE is_open',
      'ALTER TABLE lots SET (fillfactor = 50)',
    ]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const addIsOpen = 'ALTER TABLE lots ADD COLUMN is_open boolean NOT NULL DEFAULT true';

const closeExpired = 'UPDATE lots SET is_open = false WHERE remaining = 0 AND expires_at <= ledger_now()';

/** A lot that gets credits back, which it can only after the clock was put back, is to expire again. */
const applyEntries = `
CREATE OR REPLACE FUNCTION apply_entries_to_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lot_ids uuid[];
  sums integer[];
BEGIN
  SELECT array_agg(lot_id), array_agg(credits) INTO lot_ids, sums
    FROM (SELECT lot_id, sum(credits)::integer AS credits FROM inserted GROUP BY lot_id) AS changes;
  UPDATE lots
    SET remaining = lots.remaining + change.credits, is_open = lots.is_open OR lots.remaining + change.credits > 0
    FROM unnest(lot_ids, sums) AS change (lot_id, credits)
    WHERE lots.id = change.lot_id;
  RETURN NULL;
END $$`;

/** Replacing a function takes these settings from it. */
const applyAsOwner = `
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION apply_entries_to_lots() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$`;

/**
 * An entry changes what a lot holds, and opens it; the sweep closes one that has expired and is empty. Nothing else ever
 * changes.
 */
const guardLots = `
CREATE OR REPLACE FUNCTION guard_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.remaining <> 0 THEN
      RAISE EXCEPTION 'a lot opens with 0 credits: its first entry fills it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    others := NEW;
    IF pg_trigger_depth() >= 2 THEN
      others.remaining := OLD.remaining;
      others.is_open := OLD.is_open;
    ELSIF OLD.is_open AND NEW.remaining = 0 AND NEW.expires_at <= ledger_now() THEN
      others.is_open := OLD.is_open;
    END IF;
    IF others IS NOT DISTINCT FROM OLD THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'lots change only through ledger_entries' USING ERRCODE = 'restrict_violation';
END $$`;
