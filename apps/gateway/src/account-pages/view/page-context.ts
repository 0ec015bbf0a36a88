import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type FormRefusal } from './sent-form.js';

/** What components anywhere on a page may need. */
export interface PageContextValue {
  /** Of the visitor, for every form. */
  readonly formToken: string;
  /** Path and query of the page, to come back to it. */
  readonly path: string;
  /** When the page was made, ms since 1970: what relative times refer to. */
  readonly now: number;
  /** The form that was just sent and not accepted. */
  readonly refusal?: FormRefusal | undefined;
  readonly isMember: boolean;
  /** Whether the pages that links lead to are served: `API_REFERENCE`, `ACCOUNT_PAGES`. */
  readonly hasReference: boolean;
  readonly hasAccountPages: boolean;
  /** Whether an OpenID provider is configured (`OIDC_ISSUER`). */
  readonly hasProvider: boolean;
}

export const PageContext = createContext<PageContextValue>({
  formToken: '',
  path: '',
  now: 0,
  isMember: false,
  hasReference: false,
  hasAccountPages: false,
  hasProvider: false,
});

export function usePage(): PageContextValue {
  return useContext(PageContext);
}
