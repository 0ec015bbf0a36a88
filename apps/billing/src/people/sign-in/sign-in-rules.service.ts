import {
  type ChangeSignInRulesRequest,
  foldDomain,
  ServiceError,
  type SetSignInRulesRequest,
  type SignInRules,
} from '#contracts';
import { type ChangeContext, type Managed, type RemainingMs, TransactionRunner } from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { JoinDomainsRepository } from './join-domains.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** What accounts require of a sign-in, and the domains whose people may join. Applies to open sessions from their next page on. */
@Injectable()
export class SignInRulesService {
  private readonly logger = new Logger(SignInRulesService.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly joinDomains: JoinDomainsRepository,
    private readonly sessions: SessionsService,
  ) {}

  /** Throws `not_found` without the account. */
  show(accountId: string): Promise<SignInRules> {
    return this.read(this.database, accountId);
  }

  /** By an owner, in a session that shows the account. Throws `forbidden`. */
  change(request: ChangeSignInRulesRequest, remainingMs?: RemainingMs): Promise<SignInRules> {
    const { account_id: accountId, session_hash: tokenHash } = request;
    const change = async (locked: LockedAccounts): Promise<SignInRules> => {
      const session = await this.sessions.get(locked, tokenHash);
      const account = await this.accounts.get(locked, accountId);
      if (session.account_id !== accountId || session.role !== 'owner') throw ownersOnly();
      this.sessions.assertMayShow(session, account);
      const isSwitchedOn = request.provider_only === true && !account.providerOnly;
      if (isSwitchedOn && session.method !== 'provider') throw notThroughProvider();
      await this.accounts.changeRules(locked, accountId, rulesOf(request));
      locked.onCommit(() =>
        this.logger.log(`Account ${accountId}: sign-in rules changed by person ${session.person_id}.`),
      );
      return this.read(locked, accountId);
    };
    return this.transactions.run([accountId], change, { remainingMs });
  }

  /** By an operator; missing rules stay as they are. Throws `not_found`. */
  set(request: SetSignInRulesRequest, by: ChangeContext = {}): Promise<SignInRules> {
    const { account_id: accountId, join_domains: domains } = request;
    const set = async (locked: LockedAccounts): Promise<SignInRules> => {
      const before = await this.read(locked, accountId);
      await this.accounts.changeRules(locked, accountId, rulesOf(request));
      if (domains) await this.joinDomains.replace(locked, accountId, domains.map(toCompared));
      const after = await this.read(locked, accountId);
      await locked.record({
        action: 'account.sign_in_rules_changed',
        account_id: accountId,
        subject: accountId,
        before,
        after,
      });
      return after;
    };
    return this.transactions.run([accountId], set, by);
  }

  private async read(on: Managed, accountId: string): Promise<SignInRules> {
    const { providerOnly, sessionHours } = await this.accounts.get(on, accountId);
    return {
      join_domains: await this.joinDomains.ofAccount(on, accountId),
      provider_only: providerOnly,
      session_hours: sessionHours,
    };
  }
}

/** Only the given ones; 0 hours remove the limit. */
function rulesOf({ provider_only: providerOnly, session_hours: hours }: Partial<ChangeSignInRulesRequest>) {
  return {
    ...(providerOnly === undefined ? {} : { providerOnly }),
    ...(hours === undefined ? {} : { sessionHours: hours === 0 ? null : hours }),
  };
}

/** Throws for what `DomainListField` does not accept. */
function toCompared(domain: string): string {
  const folded = foldDomain(domain);
  if (folded === null) throw new Error(`not a domain: ${domain}`);
  return folded;
}

function ownersOnly(): ServiceError {
  return new ServiceError('forbidden', 'Only owners of this account can do that. Nothing was changed.');
}

function notThroughProvider(): ServiceError {
  return new ServiceError(
    'forbidden',
    'Sign in with single sign-on first, so that this cannot lock you out. Nothing was changed.',
  );
}
