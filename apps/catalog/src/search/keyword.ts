import { keywordParts, searchWords } from '#contracts';
import { type AccountKey } from '../lookup/account-key.js';
import { keysOfLink, readProfileLink } from '../lookup/profile-link.js';

export interface Keyword {
  /** Folded, each once. */
  readonly words: readonly string[];
  /** The keys of the account that each link among the words names. */
  readonly links: readonly (readonly AccountKey[])[];
}

/** A word that is no link to a profile is a text to be found. */
export function readKeyword(keyword: string): Keyword {
  const links: (readonly AccountKey[])[] = [];
  const texts = keywordParts(keyword).filter((part) => {
    const link = readProfileLink(part);
    if (typeof link === 'string') return true;
    links.push(keysOfLink(link));
    return false;
  });
  return { words: [...new Set(searchWords(texts.join(' ')))], links };
}
