import { type SearchCriteria } from './search-criteria.js';
import { columnOf, compareDocuments, type SearchDocument } from './search-document.js';

/** The latest changes, too few for a segment: searched by scanning them all. */
export class RecentDocuments {
  private readonly documents = new Map<string, SearchDocument>();

  get size(): number {
    return this.documents.size;
  }

  put(document: SearchDocument): void {
    this.documents.set(document.slug, document);
  }

  remove(slug: string): void {
    this.documents.delete(slug);
  }

  has(document: SearchDocument): boolean {
    return this.documents.get(document.slug) === document;
  }

  all(): SearchDocument[] {
    return [...this.documents.values()];
  }

  /** In the order of a search. */
  search(criteria: SearchCriteria): SearchDocument[] {
    const found: SearchDocument[] = [];
    for (const document of this.documents.values()) if (matches(document, criteria)) found.push(document);
    return found.sort(compareDocuments);
  }
}

function matches(document: SearchDocument, criteria: SearchCriteria): boolean {
  const { words, country, category, language, platform, minFollowers, maxFollowers } = criteria;
  const followers = document.followers[columnOf(platform)] ?? null;
  return (
    followers !== null &&
    (country === undefined || document.country === country) &&
    (category === undefined || document.categories.includes(category)) &&
    (language === undefined || document.languages.includes(language)) &&
    followers >= (minFollowers ?? 0) &&
    followers <= (maxFollowers ?? Number.MAX_SAFE_INTEGER) &&
    words.every((word) => document.text.includes(word))
  );
}
