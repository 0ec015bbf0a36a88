import { ServiceError } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';

/** Accounts that an IPv4 address or a /64 may open in 24 hours; a /56 and a /48 may open four and sixteen times as many. */
export const signUpsMax = 20;
const timesOfLevel = [1, 4, 16] as const;
/** Digits of a /64, a /56 and a /48 in `storedNetwork`. */
const digitsOfLevel = [16, 14, 12] as const;

const lockNetworkSql = `SELECT pg_advisory_xact_lock(hashtextextended('sign-ups ' || $1, 0))`;

/** Served by `accounts_signed_up`. */
const countSql = `
  SELECT count(*)::integer AS opened FROM accounts
  WHERE signed_up_from LIKE $1 AND created_at > $2::timestamptz - interval '24 hours'`;

/** How many accounts are opened by sign-up from where. Operators are not counted. */
@Injectable()
export class SignUpBounds {
  /** For one account more, under a lock of the network; resolves to what is stored with it. Throws `rate_limited`. */
  async admit(locked: LockedAccounts, network: string): Promise<string> {
    const stored = storedNetwork(network);
    const levels = levelsOf(stored);
    await locked.query('lock network', lockNetworkSql, [levels.at(-1)]);
    for (const [level, pattern] of levels.entries()) {
      const max = signUpsMax * (timesOfLevel[level] ?? 1);
      if ((await opened(locked, pattern, locked.now)) >= max) throw tooMany();
    }
    return stored;
  }
}

/** An IPv4 address as it is, of an IPv6 /64 its 16 digits, so that larger networks are beginnings of it. */
export function storedNetwork(network: string): string {
  if (!network.includes(':') || network.includes('.')) return network;
  return network
    .split(':')
    .map((group) => group.padStart(4, '0'))
    .join('');
}

/** The smallest first, as patterns of `LIKE`. */
function levelsOf(stored: string): string[] {
  if (!/^[0-9a-f]{16}$/.test(stored)) return [stored.replaceAll(/[\\%_]/g, String.raw`\$&`)];
  return digitsOfLevel.map((digits) => (digits === 16 ? stored : `${stored.slice(0, digits)}%`));
}

async function opened({ query }: Queryable, pattern: string, now: Date): Promise<number> {
  const [row] = await query<{ opened: number }>('count sign-ups', countSql, [pattern, now]);
  return row?.opened ?? 0;
}

function tooMany(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many accounts were created from your network today. Try again tomorrow.',
  );
}
