import { type DataSource } from 'typeorm';
import { StartError } from '../errors.js';
import { type Logger } from '../logger.js';

interface OwnerState {
  readonly role: string;
  readonly isOwner: boolean;
  /** Whether a migration job granted another role the rights of the service. */
  readonly isSeparated: boolean;
}

/** A role that only reads, for reports, is no role of a service: it may not insert. */
const ownerStateSql = `
  SELECT current_user AS role, count(class.oid) > 0 AS "isOwner",
    coalesce(bool_or(EXISTS (
      SELECT FROM aclexplode(class.relacl) AS granted
      WHERE granted.privilege_type = 'INSERT' AND granted.grantee NOT IN (0, class.relowner)
    )), false) AS "isSeparated"
  FROM pg_class AS class
  WHERE class.relnamespace = current_schema()::regnamespace AND class.relkind = 'r'
    AND pg_has_role(class.relowner, 'MEMBER')`;

/**
 * Throws `StartError` where a service has the rights of the tables' owner although the migration job granted a role of
 * its own what it needs. Only warns where there is no such role, as in the local stack.
 */
export async function refuseOwner(dataSource: DataSource, logger: Logger): Promise<void> {
  const [state] = await dataSource.query<OwnerState[]>(ownerStateSql);
  if (!state?.isOwner) return;
  if (state.isSeparated) {
    throw new StartError(
      `The role ${state.role} owns the tables, which is only for the migration job: start the service with the role ` +
        'that RUNTIME_ROLE of that job names.',
    );
  }
  logger.warn(
    { role: state.role },
    'this role owns the tables: give the service a role with fewer rights, and the migration job RUNTIME_ROLE',
  );
}
