import { type PlatformName } from './creators.js';

/** An account on a platform, by its handle, with or without the leading `@`. */
export interface PlatformAccount {
  readonly platform: PlatformName;
  readonly handle: string;
}

/** An account to look up: the URL of its page in any form that people paste, or platform and handle. */
export type AccountToLookUp = string | PlatformAccount;

/** The answer to `GET /lookup`. */
export interface LookupBody {
  /** The creator who has this account; `null` when none has. */
  readonly slug: string | null;
}

/** One of many look-ups. */
export interface LookupEntry extends LookupBody {
  /** Why what was given names no account, for example a link to a post. */
  readonly problem?: string;
}

/** The answer to `POST /lookup`. */
export interface LookupsBody {
  /** In the order in which they were asked for. */
  readonly results: readonly LookupEntry[];
}
