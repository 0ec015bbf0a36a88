import { escapeIdentifier } from 'pg';
import { type DataSource } from 'typeorm';
import { onlyRow } from './query.js';

/** The privileges of a role on each table, in the syntax of GRANT: `{ accounts: 'SELECT, INSERT, UPDATE (name)' }`. */
export type Grants = Readonly<Record<string, string>>;

interface RoleState {
  readonly schema: string;
  readonly owner: string;
  readonly isKnown: boolean;
  readonly isSuperuser: boolean;
  readonly isOwner: boolean;
  readonly mayCreate: boolean;
  readonly mayConnect: boolean;
}

/** The role and its memberships: grants do not restrict a member of the owning role. */
const roleStateSql = `
  SELECT current_schema() AS schema, current_user AS owner,
    role.oid IS NOT NULL AS "isKnown",
    coalesce(role.rolsuper, false) AS "isSuperuser",
    coalesce(pg_has_role(role.oid, current_user, 'MEMBER'), false) AS "isOwner",
    coalesce(has_schema_privilege(role.oid, current_schema(), 'CREATE'), false) AS "mayCreate",
    coalesce(has_database_privilege(role.oid, current_database(), 'CONNECT'), false) AS "mayConnect"
  FROM (SELECT $1::text AS name) AS given LEFT JOIN pg_roles AS role ON role.rolname = given.name`;

/** Tables, views and sequences of the owner; those of other owners in the schema are not touched. */
const ownedSql = `
  SELECT relname AS name, relkind = 'S' AS "isSequence" FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
    AND pg_has_role(relowner, 'MEMBER')`;

/**
 * Atomically grants `role` these privileges on the tables of the current schema and revokes all others. Must run as the
 * owner of the tables. Throws when the role has further privileges that can't be revoked this way.
 */
export async function grantExactly(owner: DataSource, role: string, grants: Grants): Promise<void> {
  const state = onlyRow(await owner.query<RoleState[]>(roleStateSql, [role]));
  refuseUnrestricted(role, state);
  const owned = await owner.query<{ name: string; isSequence: boolean }[]>(ownedSql);
  const to = escapeIdentifier(role);
  const schema = escapeIdentifier(state.schema);
  const named = (name: string): string => `${schema}.${escapeIdentifier(name)}`;
  const statements = [
    ...owned.map(
      ({ name, isSequence }) => `REVOKE ALL ON ${isSequence ? 'SEQUENCE ' : ''}${named(name)} FROM ${to}`,
    ),
    `GRANT USAGE ON SCHEMA ${schema} TO ${to}`,
    ...Object.entries(grants).map(([table, privileges]) => `GRANT ${privileges} ON ${named(table)} TO ${to}`),
  ];
  // Statements sent as one string are one transaction: the role is never without its privileges.
  await owner.query(statements.join(';\n'));
}

function refuseUnrestricted(role: string, { owner, schema, ...state }: RoleState): void {
  if (!state.isKnown) throw new Error(`RUNTIME_ROLE: there is no role ${role}`);
  // Where services have databases of their own, it is the role of another one.
  if (!state.mayConnect) throw new Error(`RUNTIME_ROLE: ${role} may not connect to this database`);
  if (state.isSuperuser) throw new Error(`RUNTIME_ROLE: ${role} is a superuser, which no grant restricts`);
  if (state.isOwner) {
    throw new Error(`RUNTIME_ROLE: ${role} is a member of ${owner}, which owns the tables`);
  }
  if (state.mayCreate) {
    throw new Error(
      `RUNTIME_ROLE: ${role} may create objects in the schema ${schema}; REVOKE CREATE ON SCHEMA first`,
    );
  }
}
