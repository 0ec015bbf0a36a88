import { foldEmail } from '@app/contracts';
import { Logger } from '@nestjs/common';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Addresses are stored in the form in which they are compared, and mails to a mailbox are counted together. People whose
 * address an older version took for another one are reported, signed out and kept (docs/operations.md says what to do). It
 * may be interrupted, and can be run again from its beginning.
 */
export class ComparedAddresses1797000011000 implements MigrationInterface {
  readonly transaction = false;
  private readonly logger = new Logger('Migration');

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
    await this.repairPeople(runner);
    await this.repairAccounts(runner);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }

  private async repairPeople(runner: QueryRunner): Promise<void> {
    const refused: string[] = [];
    for await (const people of pages<PersonRow>(runner, 'people', 'id, email, email_folded')) {
      for (const person of people) {
        if (foldEmail(person.email) === person.email_folded) {
          if (person.email !== person.email_folded) await runner.query(repairPerson, [person.id]);
        } else if (!(await isRenamed(runner, person))) {
          await runner.query(refusePerson, [person.id]);
          refused.push(person.id);
        }
      }
    }
    this.report(
      'people',
      refused,
      'They are signed out; SELECT * FROM people WHERE refused_email IS NOT NULL.',
    );
  }

  /** An address of an account is shown, and was its first owner when the account was created. */
  private async repairAccounts(runner: QueryRunner): Promise<void> {
    const refused: string[] = [];
    for await (const accounts of pages<AccountRow>(runner, 'accounts', 'id, email')) {
      for (const { id, email } of accounts) {
        const folded = foldEmail(email);
        if (folded === null) refused.push(id);
        else if (folded !== email) await runner.query(repairAccount, [id, email, folded]);
      }
    }
    this.report('accounts', refused, 'They are unchanged.');
  }

  private report(what: string, ids: readonly string[], then: string): void {
    if (ids.length === 0) return;
    const shown = ids.slice(0, reportedMax).join(', ') + (ids.length > reportedMax ? ', ...' : '');
    const found = `${ids.length} ${what} have an address that is not accepted: ${shown}.`;
    this.logger.warn(`${found} ${then} See "Addresses that are not accepted" in docs/operations.md.`);
  }
}

const reportedMax = 100;
const batchSize = 1_000;

/** `refused_email` is the report: what the address of a person was. */
const columns = `
ALTER TABLE people ADD COLUMN IF NOT EXISTS refused_email text;
ALTER TABLE sign_ins ADD COLUMN IF NOT EXISTS mailbox text;
CREATE INDEX IF NOT EXISTS sign_ins_of_mailbox ON sign_ins (mailbox, created_at)`;

/** It differed in its case only. */
const repairPerson = 'UPDATE people SET email = email_folded WHERE id = $1';
const repairAccount = 'UPDATE accounts SET email = $3 WHERE id = $1 AND email = $2';

/** The same domain in its other form; not where both are known, which are two people until an operator decides. */
const renamePerson = `
  UPDATE people SET email = $2, email_folded = $2
  WHERE id = $1 AND NOT EXISTS (SELECT FROM people AS others WHERE others.email_folded = $2)
  RETURNING id`;

/** Mail went to an address that is not the one by which the person is known: what it has led to ends. */
const refusePerson = `
  WITH refused AS (
    UPDATE people SET refused_email = COALESCE(refused_email, email), email = email_folded WHERE id = $1 RETURNING id, email_folded
  ), signed_out AS (
    UPDATE sessions SET expires_at = ledger_now()
    FROM refused WHERE person_id = refused.id AND expires_at > ledger_now()
  )
  UPDATE sign_ins SET used_at = ledger_now()
  FROM refused WHERE sign_ins.email_folded = refused.email_folded AND used_at IS NULL`;

interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly email_folded: string;
}

interface AccountRow {
  readonly id: string;
  readonly email: string;
}

/** Addresses are folded here and not in SQL, whose lower case depends on the collation. */
async function* pages<Row extends { readonly id: string }>(
  runner: QueryRunner,
  table: 'people' | 'accounts',
  columnsOfPage: string,
): AsyncGenerator<Row[]> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = `SELECT ${columnsOfPage} FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2`;
    const rows = (await runner.query(page, [last, batchSize])) as Row[];
    yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < batchSize) return;
    last = end.id;
  }
}

async function isRenamed(runner: QueryRunner, { id, email }: PersonRow): Promise<boolean> {
  const folded = foldEmail(email);
  if (folded === null) return false;
  const [renamed] = (await runner.query(renamePerson, [id, folded])) as [object[], number];
  return renamed.length === 1;
}
