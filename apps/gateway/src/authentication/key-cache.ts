import { type AuthenticatedKey } from '@app/contracts';
import { counter } from '@app/platform';

interface Entry {
  readonly key: AuthenticatedKey | null;
  /** On the monotonic clock, ms. */
  readonly expiresAt: number;
}

const lookUps = counter(
  'key_lookups_total',
  'Keys that were looked at: known here already, found at billing, or unknown there.',
  ['outcome'],
);

/** `wasGood`: whether the key was a good one when it was last looked at here. */
type LookUp = (wasGood: boolean) => Promise<AuthenticatedKey | null>;

const lifetimeMs = 1_000;
const entriesMax = 10_000;

/**
 * What billing said of keys, good and bad alike, for at most a second from the moment the look-up was sent: a revoked key
 * is refused everywhere within that second even when every message about it is lost. Look-ups of the same key share one.
 */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();
  private readonly pending = new Map<string, Promise<AuthenticatedKey | null>>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  async get(keyHash: string, lookUp: LookUp): Promise<AuthenticatedKey | null> {
    const entry = this.entries.get(keyHash);
    const pending = this.pending.get(keyHash);
    const isFresh = entry !== undefined && entry.expiresAt > this.now();
    if (isFresh || pending) lookUps.inc({ outcome: 'cached' });
    if (isFresh) return entry.key;
    if (pending) return pending;
    const expiresAt = this.now() + lifetimeMs;
    const sent = lookUp(Boolean(entry?.key));
    this.pending.set(keyHash, sent);
    try {
      const key = await sent;
      lookUps.inc({ outcome: key === null ? 'unknown' : 'found' });
      // Forgotten meanwhile: what was read may be older than the change.
      if (this.pending.get(keyHash) === sent) this.keep(keyHash, { key, expiresAt });
      return key;
    } finally {
      if (this.pending.get(keyHash) === sent) this.pending.delete(keyHash);
    }
  }

  /** Drops a key that changed; a look-up that is under way is not kept either. */
  forget(keyHash: string): void {
    this.entries.delete(keyHash);
    this.pending.delete(keyHash);
  }

  /** Drops everything: messages about changed keys may have been missed. */
  clear(): void {
    this.entries.clear();
    this.pending.clear();
  }

  private keep(keyHash: string, entry: Entry): void {
    this.entries.delete(keyHash);
    this.entries.set(keyHash, entry);
    if (this.entries.size <= entriesMax) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}
