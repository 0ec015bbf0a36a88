import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What was made under an Idempotency-Key, for as long as a caller may try again. */
export class IdempotencyKeys1796083200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(idempotencyKeys);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Keys of different scopes have nothing to do with each other. Only hashes: a key may hold what its caller would not publish. */
const idempotencyKeys = `
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key_hash text NOT NULL CONSTRAINT idempotency_keys_hash_shape CHECK (key_hash ~ '^[0-9a-f]{64}$'),
  fingerprint text NOT NULL CONSTRAINT idempotency_keys_fingerprint_shape CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  made_id uuid NOT NULL,
  answered_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pk PRIMARY KEY (scope, key_hash)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (answered_at)`;
