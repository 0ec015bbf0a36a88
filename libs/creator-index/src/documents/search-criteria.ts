import { type Platform } from '@app/contracts/threads';
import { type SearchPosition } from './search-document.js';

/** A search in folded form: every word and value is folded already. */
export interface SearchCriteria {
  /** Every word must occur in the folded name or in one folded handle. */
  readonly words: readonly string[];
  readonly country?: string;
  readonly category?: string;
  readonly language?: string;
  /** Creators with an account there; the bounds then mean its followers instead of the total reach. */
  readonly platform?: Platform;
  /** Inclusive, as `maxFollowers`. */
  readonly minFollowers?: number;
  readonly maxFollowers?: number;
  /** The page begins after this position; the total counts all matches. */
  readonly after?: SearchPosition;
  readonly limit: number;
}
