import { type Logger } from '@app/platform';

export interface AdminOptions {
  /** What opens the admin API. */
  readonly adminToken: string;
  readonly logger: Logger;
  /** Waits before an import's chunk is sent again; default: about 8 s in all. */
  readonly importRetryDelaysMs?: readonly number[];
}

/** Injection token of `AdminOptions`. */
export const adminOptions = Symbol('AdminOptions');
