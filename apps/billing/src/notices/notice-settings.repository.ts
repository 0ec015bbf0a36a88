import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { type LockedAccounts } from '../database/account-transactions.js';
import { NoticeSetting } from './notice-setting.entity.js';
import { Notice } from './notice.entity.js';

const checkedEveryMs = 60_000;
const notifiedEveryMs = 3_600_000;

/** Served by `notice_settings_to_check`; replicas share the accounts. */
const toCheckSql = `
  SELECT account_id, balance_threshold AS threshold, is_balance_low AS was_low FROM notice_settings
  WHERE balance_threshold IS NOT NULL AND balance_checked_at <= $1
  ORDER BY balance_checked_at LIMIT $2 FOR UPDATE SKIP LOCKED`;

export interface ThresholdRow {
  readonly account_id: string;
  readonly threshold: number;
  readonly was_low: boolean;
}

/** The notification settings of accounts. */
@Injectable()
export class NoticeSettingsRepository {
  /** The stored settings, or the defaults. */
  async get({ manager }: Managed, accountId: string): Promise<NoticeSetting> {
    return (await manager.findOneBy(NoticeSetting, { accountId })) ?? defaultsOf(accountId);
  }

  /** Also locks them, so that no check of the balance changes them before they are saved. */
  async getLocked({ manager }: Managed, accountId: string): Promise<NoticeSetting> {
    const lock = { mode: 'pessimistic_write' } as const;
    return (await manager.findOne(NoticeSetting, { where: { accountId }, lock })) ?? defaultsOf(accountId);
  }

  async save({ manager }: Managed, setting: NoticeSetting): Promise<void> {
    await manager.upsert(NoticeSetting, setting, ['accountId']);
  }

  /** Locks settings with a threshold whose balance was not checked within the last minute, longest ago first. */
  toCheck({ query, now }: Pick<LockedAccounts, 'now'> & Queryable, max: number): Promise<ThresholdRow[]> {
    const before = new Date(now.getTime() - checkedEveryMs);
    return query<ThresholdRow>('select balances to check', toCheckSql, [before, max]);
  }

  async markChecked({ manager, now }: LockedAccounts, accountIds: string[]): Promise<void> {
    await manager.update(NoticeSetting, { accountId: In(accountIds) }, { balanceCheckedAt: now });
  }

  /** Whether the account was notified of a low balance within the last hour; served by `notices_once`. */
  wasNotifiedRecently({ manager, now }: LockedAccounts, accountId: string): Promise<boolean> {
    const createdAt = MoreThan(new Date(now.getTime() - notifiedEveryMs));
    return manager.existsBy(Notice, { accountId, kind: 'balance_low', createdAt });
  }

  async markLow({ manager }: Managed, accountId: string, isBalanceLow: boolean): Promise<void> {
    await manager.update(NoticeSetting, { accountId }, { isBalanceLow });
  }
}

/** Notices that concern credits or money are mailed; owners choose a threshold themselves. */
function defaultsOf(accountId: string): NoticeSetting {
  return {
    accountId,
    balanceThreshold: null,
    notifyOnExpiry: true,
    notifyOnPayment: true,
    notifyByEmail: true,
    webhookUrl: null,
    webhookSecret: null,
    webhookChecks: 0,
    webhookChecksFrom: null,
    isBalanceLow: false,
    balanceCheckedAt: new Date(0),
  };
}
