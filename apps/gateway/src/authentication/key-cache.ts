import { type AuthenticatedKey, type Spendable } from '#contracts';
import { counter } from '#platform';
import { Injectable } from '@nestjs/common';
import { RecentMap } from '../requests/recent-map.js';

/** `askedAt`: when the look-up was sent, on the monotonic clock, ms. */
interface Known<Key extends AuthenticatedKey | null = AuthenticatedKey | null> {
  readonly key: Key;
  readonly askedAt: number;
}

interface GoodKey extends Known<AuthenticatedKey> {
  /** Credits that the key may spend, from the reply of billing to a message sent at `askedAt`. */
  figures: Spendable & { readonly askedAt: number };
}

/** `isFresh`: younger than a second, as look-ups are. */
export interface KnownSpendable extends Spendable {
  readonly isFresh: boolean;
}

const lookUps = counter(
  'key_lookups_total',
  'Key look-ups: cached here, found at billing, or unknown there.',
  ['outcome'],
);

type LookUp = () => Promise<AuthenticatedKey | null>;

const lifetimeMs = 1_000;
const lateMs = 5 * 60_000;
/** Good keys that are kept, and as many others. */
const entriesMax = 10_000;

/**
 * Caches billing's answers about keys, valid and invalid, for at most a second from the moment the look-up was sent: a
 * revoked key is refused everywhere within that second even when every message about it is lost, and none is good longer than billing
 * says that it is valid. Concurrent look-ups of
 * a key share one request. Valid keys have a separate capacity, so unknown keys never evict them.
 */
@Injectable()
export class KeyCache {
  private readonly good = new RecentMap<GoodKey>(entriesMax);
  private readonly others = new RecentMap<Known<null>>(entriesMax);
  private readonly pending = new Map<string, Promise<AuthenticatedKey | null>>();

  async get(keyHash: string, lookUp: LookUp): Promise<AuthenticatedKey | null> {
    const good = this.good.get(keyHash);
    const entry: Known | undefined = good ?? this.others.get(keyHash);
    const pending = this.pending.get(keyHash);
    const isFresh = entry !== undefined && this.isWithin(lifetimeMs, entry);
    if (isFresh || pending) lookUps.inc({ outcome: 'cached' });
    if (isFresh) return entry.key;
    return pending ?? this.refresh(keyHash, lookUp);
  }

  /** Looks a key up again, even if it is cached. */
  async refresh(keyHash: string, lookUp: LookUp): Promise<AuthenticatedKey | null> {
    const askedAt = performance.now();
    const sent = lookUp();
    this.pending.set(keyHash, sent);
    try {
      const key = await sent;
      lookUps.inc({ outcome: key === null ? 'unknown' : 'found' });
      // Dropped meanwhile: the answer may be older than the change.
      if (this.pending.get(keyHash) === sent) this.keep(keyHash, key, askedAt);
      return key;
    } finally {
      if (this.pending.get(keyHash) === sent) this.pending.delete(keyHash);
    }
  }

  /** A key that was a good one within the last minutes: for a call whose charge checks it again. */
  recentlyGood(keyHash: string): AuthenticatedKey | undefined {
    const good = this.good.get(keyHash);
    if (good === undefined || !this.isWithin(lateMs, good)) return undefined;
    lookUps.inc({ outcome: 'cached' });
    return good.key;
  }

  /** Credits that a key may spend, from the last reply of billing; `undefined` for an unknown key. */
  spendable(keyHash: string | undefined): KnownSpendable | undefined {
    const figures = keyHash === undefined ? undefined : this.good.get(keyHash)?.figures;
    return figures && { ...figures, isFresh: performance.now() < figures.askedAt + lifetimeMs };
  }

  /**
   * Keeps what a reply of billing says that a key may spend, unless a message sent after `askedAt`, on the monotonic clock, was
   * answered before.
   */
  noteSpendable(keyHash: string | undefined, reported: Spendable, askedAt: number): void {
    const known = keyHash === undefined ? undefined : this.good.get(keyHash);
    if (known && askedAt >= known.figures.askedAt) known.figures = figuresOf(reported, askedAt);
  }

  /** The account of a key that was a good one when it was last looked at here. */
  accountOf(keyHash: string): string | undefined {
    return this.good.get(keyHash)?.key.account_id;
  }

  /** Drops a key that changed, and ignores the result of a look-up in progress. */
  forget(keyHash: string | undefined): void {
    if (keyHash === undefined) return;
    this.good.delete(keyHash);
    this.others.delete(keyHash);
    this.pending.delete(keyHash);
  }

  /** Drops everything: messages about changed keys may have been missed. */
  clear(): void {
    this.good.clear();
    this.others.clear();
    this.pending.clear();
  }

  private isWithin(ms: number, { key, askedAt }: Known): boolean {
    return performance.now() < askedAt + Math.min(ms, key?.valid_for_ms ?? ms);
  }

  private keep(keyHash: string, key: AuthenticatedKey | null, askedAt: number): void {
    if (key === null) {
      this.good.delete(keyHash);
      this.others.set(keyHash, { key, askedAt });
    } else {
      this.others.delete(keyHash);
      const figures = this.good.get(keyHash)?.figures;
      const isOlder = figures !== undefined && askedAt < figures.askedAt;
      this.good.set(keyHash, { key, askedAt, figures: isOlder ? figures : figuresOf(key, askedAt) });
    }
  }
}

function figuresOf({ credits_remaining, key_limit }: Spendable, askedAt: number): GoodKey['figures'] {
  return { credits_remaining, ...(key_limit && { key_limit }), askedAt };
}
