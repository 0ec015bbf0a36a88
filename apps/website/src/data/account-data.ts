import { Reports } from '#http';
import {
  type AccountPath,
  getUsage,
  type KeyView,
  listCalls,
  listKeys,
  listStatement,
  type MessageContract,
  type SessionRequest,
  type UsageRow,
} from '#contracts';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { type MemberRequest, type PersonRequest } from '../sessions/member-request.js';

/** They take long for an account with many rows: few run at once. */
const reports: readonly unknown[] = [getUsage, listCalls, listStatement];

/** Asks billing about a member's own account. */
@Injectable()
export class AccountData {
  constructor(
    private readonly services: ServiceClient,
    private readonly reports: Reports,
  ) {}

  ask<Request extends AccountPath, Reply>(
    member: MemberRequest,
    contract: MessageContract<Request, Reply>,
    request: Omit<Request, 'account_id'>,
    context: RequestContext = member.context(),
  ): Promise<Reply> {
    const asked = { ...request, account_id: member.accountId } as Request;
    if (reports.includes(contract)) return this.reports.ask(contract, asked, context);
    return this.services.request(contract, asked, context);
  }

  /** Asks on behalf of a person, with an account or without: billing decides by their session. */
  askAs<Request extends SessionRequest, Reply>(
    person: PersonRequest,
    contract: MessageContract<Request, Reply>,
    request: Omit<Request, 'session_hash'>,
  ): Promise<Reply> {
    const asked = { ...request, session_hash: person.sessionHash } as Request;
    return this.services.request(contract, asked, person.context());
  }

  async keys(member: MemberRequest): Promise<KeyView[]> {
    return (await this.ask(member, listKeys, {})).keys;
  }

  /** Days as `YYYY-MM-DD` UTC, both inclusive. */
  async usage(member: MemberRequest, from = '', to = ''): Promise<readonly UsageRow[]> {
    return (await this.ask(member, getUsage, { from, to })).usage;
  }
}

export type UsageUnit = 'calls' | 'credits';

/** The sum of all rows. */
export function sumUsage(rows: readonly UsageRow[], unit: UsageUnit): number {
  return rows.reduce((sum, row) => sum + row[unit], 0);
}

/** One sum for each of the days, in their order. */
export function usageByDay(rows: readonly UsageRow[], days: readonly string[], unit: UsageUnit): number[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row.day, (sums.get(row.day) ?? 0) + row[unit]);
  return days.map((day) => sums.get(day) ?? 0);
}
