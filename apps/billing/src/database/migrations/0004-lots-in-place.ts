import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A charge changes `remaining` of a lot, and nothing else. No index has that column in it or in its condition any more, and
 * pages of lots have room, so PostgreSQL writes the row again beside itself and leaves all five indexes as they are (a HOT
 * update). Which lots are still to expire says `is_open` instead, which changes once.
 */
export class LotsInPlace1797120003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      addIsOpen,
      guardLots,
      'ALTER TABLE lots DISABLE TRIGGER lots_guard',
      closeExpired,
      'ALTER TABLE lots ENABLE TRIGGER lots_guard',
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

/** An entry changes `remaining`; the sweep closes a lot that has expired and is empty. Nothing else ever changes. */
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
    ELSIF OLD.is_open AND NEW.remaining = 0 AND NEW.expires_at <= ledger_now() THEN
      others.is_open := OLD.is_open;
    END IF;
    IF others IS NOT DISTINCT FROM OLD THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'lots change only through ledger_entries' USING ERRCODE = 'restrict_violation';
END $$`;
