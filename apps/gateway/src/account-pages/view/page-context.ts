import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What components anywhere on a page may need. */
export interface PageContextValue {
  /** Of the visitor, for every form. */
  readonly formToken: string;
  /** Path and query of the page, to come back to it. */
  readonly path: string;
  /** When the page was made, ms since 1970: what relative times refer to. */
  readonly now: number;
}

export const PageContext = createContext<PageContextValue>({ formToken: '', path: '', now: 0 });

export function usePage(): PageContextValue {
  return useContext(PageContext);
}
