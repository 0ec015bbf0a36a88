import { migrations } from './migrations/index.js';
import { useDatabaseBefore } from './database-before.fixture.js';

/** Older ones are applied before a schema is distributed. */
const first = 'PaidAmounts';

/** Without texts and bodies of functions, in which anything may stand. */
function bare(statement: string): string {
  return statement.replace(/\$\$.*?\$\$|'[^']*'/gs, "''").trim();
}

/** What Citus refuses to do to a distributed schema. */
function refused(statement: string): string[] {
  const text = bare(statement);
  const several = /;\s*\S/.test(text);
  const constraintAmongOthers =
    /^ALTER TABLE/.test(text) && /\bADD CONSTRAINT\b/.test(text) && actions(text) > 1;
  return [
    ...(several ? ['several commands'] : []),
    ...(constraintAmongOthers ? ['a constraint among others'] : []),
  ];
}

function actions(alteration: string): number {
  return (alteration.match(/\b(ADD|DROP|ALTER|VALIDATE) (COLUMN|CONSTRAINT)\b/g) ?? []).length;
}

describe('migrations of a schema that Citus has distributed', () => {
  const older = useDatabaseBefore(first);

  it('send one command at a time, and add each constraint by itself', async () => {
    const since = migrations.slice(migrations.findIndex(({ name }) => name.startsWith(first)));
    const sent: string[] = [];
    for (const Migration of since) {
      const runner = older.database.createQueryRunner();
      const query = jest.spyOn(runner, 'query');
      await new Migration().up(runner);
      sent.push(...query.mock.calls.map(([statement]) => statement));
      await runner.release();
    }
    expect(sent.length).toBeGreaterThan(since.length);
    expect(sent.filter((statement) => refused(statement).length > 0)).toEqual([]);
  });

  it.each([
    ['CREATE TABLE a (b integer); CREATE INDEX c ON a (b)', ['several commands']],
    ['ALTER TABLE a ADD COLUMN b integer, ADD CONSTRAINT c CHECK (b > 0)', ['a constraint among others']],
    ["ALTER TABLE a ADD CONSTRAINT c CHECK (b IN (';', 'ADD COLUMN'))", []],
  ])('would be noticed: %s', (statement, problems) => {
    expect(refused(statement)).toEqual(problems);
  });
});
