import { createAdminLog } from '#platform/database';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Tokens of the admin API, and the log of what operators change. */
export class Administration1797120006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...adminTokens, ...createAdminLog]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** A withdrawn token is kept, because the log names it; its name can be used again. */
const adminTokens = [
  `CREATE TABLE admin_tokens (
    id uuid CONSTRAINT admin_tokens_pk PRIMARY KEY,
    name text NOT NULL CONSTRAINT admin_tokens_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
    role text NOT NULL CONSTRAINT admin_tokens_role_known CHECK (role IN ('all', 'support', 'import', 'read')),
    hash text NOT NULL CONSTRAINT admin_tokens_hash_unique UNIQUE
      CONSTRAINT admin_tokens_hash_shape CHECK (hash ~ '^[0-9a-f]{64}$'),
    prefix text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    withdrawn_at timestamptz(3)
  )`,
  'CREATE UNIQUE INDEX admin_tokens_name_unique ON admin_tokens (name) WHERE withdrawn_at IS NULL',
];
