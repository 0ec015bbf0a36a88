import { domainOf, type JoinableAccount } from '#contracts';
import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { JoinDomain } from './join-domain.entity.js';

const listMax = 50;

/** Served by `join_domains_pk` and `members_pk`. */
const joinableSql = `
  SELECT accounts.id AS account_id, accounts.name AS account_name, domain
  FROM join_domains
  JOIN accounts ON accounts.id = join_domains.account_id
  WHERE domain = $1
    AND NOT EXISTS (SELECT FROM members WHERE members.account_id = accounts.id AND members.person_id = $2)
  ORDER BY accounts.created_at, accounts.id LIMIT ${listMax}`;

/** Domains whose people may join accounts, without their subdomains. They are changed only under the lock of their account. */
@Injectable()
export class JoinDomainsRepository {
  /** Whether the address may join any account by its domain. */
  isAny({ manager }: Managed, emailFolded: string): Promise<boolean> {
    return manager.existsBy(JoinDomain, { domain: domainOf(emailFolded) });
  }

  mayJoin({ manager }: Managed, accountId: string, emailFolded: string): Promise<boolean> {
    return manager.existsBy(JoinDomain, { accountId, domain: domainOf(emailFolded) });
  }

  /** Accounts that a person may join and is not a member of. */
  joinable({ query }: Queryable, emailFolded: string, personId: string): Promise<JoinableAccount[]> {
    return query<JoinableAccount>('select joinable accounts', joinableSql, [domainOf(emailFolded), personId]);
  }

  /** In alphabetical order. */
  async ofAccount({ manager }: Managed, accountId: string): Promise<string[]> {
    const rows = await manager.findBy(JoinDomain, { accountId });
    return rows.map(({ domain }) => domain).toSorted();
  }

  async replace({ manager }: LockedAccounts, accountId: string, domains: readonly string[]): Promise<void> {
    await manager.delete(JoinDomain, { accountId });
    if (domains.length > 0) {
      await manager.insert(
        JoinDomain,
        domains.map((domain) => ({ domain, accountId })),
      );
    }
  }
}
