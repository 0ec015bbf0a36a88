import {
  columnOf,
  type SearchCriteria,
  type SearchDocument,
  sortColumnOf,
  sortDocuments,
} from './search-document.js';

/** The latest changes, too few for a segment: searched by scanning them all. */
export class RecentDocuments {
  private readonly documents = new Map<string, SearchDocument>();
  private readonly byAccount = new Map<string, Set<SearchDocument>>();

  get size(): number {
    return this.documents.size;
  }

  put(document: SearchDocument): void {
    this.remove(document.slug);
    this.documents.set(document.slug, document);
    for (const key of document.accountKeys) {
      const documents = this.byAccount.get(key);
      if (documents) documents.add(document);
      else this.byAccount.set(key, new Set([document]));
    }
  }

  remove(slug: string): void {
    const document = this.documents.get(slug);
    if (!document) return;
    this.documents.delete(slug);
    for (const key of document.accountKeys) {
      const documents = this.byAccount.get(key);
      documents?.delete(document);
      if (documents?.size === 0) this.byAccount.delete(key);
    }
  }

  has(document: SearchDocument): boolean {
    return this.documents.get(document.slug) === document;
  }

  all(): SearchDocument[] {
    return [...this.documents.values()];
  }

  /** Documents with an account of this key, in no order. */
  withAccount(key: string): Iterable<SearchDocument> {
    return this.byAccount.get(key) ?? [];
  }

  /** In the order of a search. */
  search(criteria: SearchCriteria): SearchDocument[] {
    const found: SearchDocument[] = [];
    for (const document of this.documents.values()) if (matches(document, criteria)) found.push(document);
    return sortDocuments(found, sortColumnOf(criteria));
  }
}

function matches(document: SearchDocument, criteria: SearchCriteria): boolean {
  const { words, slug, country, category, language, platform, minFollowers, maxFollowers } = criteria;
  const followers = document.followers[columnOf(platform)] ?? null;
  return (
    followers !== null &&
    (slug === undefined || document.slug === slug) &&
    (country === undefined || document.country === country) &&
    (category === undefined || document.categories.includes(category)) &&
    (language === undefined || document.languages.includes(language)) &&
    followers >= (minFollowers ?? 0) &&
    followers <= (maxFollowers ?? Number.MAX_SAFE_INTEGER) &&
    words.every((word) => document.text.includes(word))
  );
}
