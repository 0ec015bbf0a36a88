import { StartError } from '#platform';
import { type Query } from '#platform/database';

/** Whether Citus has distributed the creators over several servers: docs/scaling.md. */
export async function isDistributed(query: Query): Promise<boolean> {
  const [citus] = await query<{ found: boolean }>(
    'find list of distributed tables',
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`,
  );
  if (!citus?.found) return false;
  const [creators] = await query<{ found: boolean }>(
    'find out whether creators are distributed',
    `SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'creators'::regclass) AS found`,
  );
  return creators?.found === true;
}

/** Throws `StartError` for an index in memory: it would follow revisions that are visible before their creators are. */
export function checkEngine(engine: 'bitmap' | 'sql', distributed: boolean): void {
  if (engine === 'sql' || !distributed) return;
  throw new StartError(
    'The creators are distributed over several servers, where an index in memory would miss changes: ' +
      'set SEARCH_ENGINE=sql for every catalog and for its migration job.',
  );
}
