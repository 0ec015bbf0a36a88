import { escapeIdentifier } from 'pg';

/** What a role may do with each table, as GRANT takes it: `{ accounts: 'SELECT, INSERT, UPDATE (name)' }`. */
export type Grants = Readonly<Record<string, string>>;

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

interface Standing {
  readonly schema: string;
  readonly owner: string;
  readonly isKnown: boolean;
  readonly isSuperuser: boolean;
  readonly isOwner: boolean;
  readonly mayCreate: boolean;
}

/** The role itself, and whatever it may act as: a member of the owning role is bound by nothing that is granted. */
const standingSql = `
  SELECT current_schema() AS schema, current_user AS owner,
    role.oid IS NOT NULL AS "isKnown",
    coalesce(role.rolsuper, false) AS "isSuperuser",
    coalesce(pg_has_role(role.oid, current_user, 'MEMBER'), false) AS "isOwner",
    coalesce(has_schema_privilege(role.oid, current_schema(), 'CREATE'), false) AS "mayCreate"
  FROM (SELECT $1::text AS name) AS given LEFT JOIN pg_roles AS role ON role.rolname = given.name`;

/** Tables, views and sequences of the owner; what lies in the schema of others is theirs to grant. */
const ownedSql = `
  SELECT relname AS name, relkind = 'S' AS "isSequence" FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
    AND pg_has_role(relowner, 'MEMBER')`;

/**
 * Gives `role` these privileges on the tables of the current schema and takes back all others, at one instant. For whoever
 * owns the tables. Throws when the role could do more all the same.
 */
export async function grantExactly(query: Query, role: string, grants: Grants): Promise<void> {
  const [standing] = (await query(standingSql, [role])) as Standing[];
  if (!standing) throw new Error('PostgreSQL told nothing of the role');
  refuseUnbound(role, standing);
  const owned = (await query(ownedSql)) as { name: string; isSequence: boolean }[];
  const to = escapeIdentifier(role);
  const schema = escapeIdentifier(standing.schema);
  const named = (name: string): string => `${schema}.${escapeIdentifier(name)}`;
  const statements = [
    ...owned.map(
      ({ name, isSequence }) => `REVOKE ALL ON ${isSequence ? 'SEQUENCE ' : ''}${named(name)} FROM ${to}`,
    ),
    `GRANT USAGE ON SCHEMA ${schema} TO ${to}`,
    ...Object.entries(grants).map(([table, privileges]) => `GRANT ${privileges} ON ${named(table)} TO ${to}`),
  ];
  // One text is one transaction: nobody sees the role without its privileges.
  await query(statements.join(';\n'));
}

function refuseUnbound(role: string, { owner, schema, ...standing }: Standing): void {
  if (!standing.isKnown) throw new Error(`RUNTIME_ROLE: there is no role ${role}`);
  if (standing.isSuperuser) throw new Error(`RUNTIME_ROLE: ${role} is a superuser, whom nothing is refused`);
  if (standing.isOwner) {
    throw new Error(`RUNTIME_ROLE: ${role} may act as ${owner}, which the tables belong to`);
  }
  if (standing.mayCreate) {
    throw new Error(
      `RUNTIME_ROLE: ${role} may create in the schema ${schema}; REVOKE CREATE ON SCHEMA first`,
    );
  }
}
