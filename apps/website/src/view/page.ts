import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type WebsiteConfig } from '../config/website-config.js';
import { type FormFields } from './form-fields.js';

/** The sections that the navigation shows. */
export type Section = 'overview' | 'keys' | 'buy' | 'usage' | 'statement' | 'settings';

/** A page, as its handler returns it. */
export interface PageView {
  readonly title: string;
  /** The section that it belongs to; none before sign-in. */
  readonly section?: Section;
  /** Under the title: answers the question of the page in one line, with a number. Without it, the body has the title. */
  readonly answer?: string;
  readonly body: ComponentChildren;
  /** Another origin to which its forms may lead. */
  readonly formTarget?: string;
  /** Text for search engines, of a page for everyone; pages without one are not indexed. */
  readonly description?: string;
  /** Whether the header leads to the sign-up too. */
  readonly offersSignUp?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** The browser loads this path next, by itself. */
  readonly next?: { readonly path: string; readonly afterSeconds: number };
  /** The form of the page that was just sent and not accepted. */
  readonly refusal?: FormRefusal;
}

/** Sends the browser on: 303 after a form that is done, 301 from a page whose address has changed. */
export class SeeOther {
  constructor(
    readonly location: string,
    readonly status: 301 | 303 = 303,
  ) {}
}

/** A download: lines of CSV, as they come. */
export class CsvFile {
  constructor(
    readonly name: string,
    readonly pieces: AsyncIterable<string>,
  ) {}
}

/** The result of a form: the next page, or the page of the form with its problems. */
export type FormResult = PageView | SeeOther;

/** In `problems`: what concerns no single field. */
export const wholeForm = '';

/** A form that was not accepted: `Form` and its fields show again what was typed, and what is wrong with it. */
export interface FormRefusal {
  readonly form: FormFields;
  /** By the name of the field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Values for components anywhere on a page. */
interface PageContextValue {
  /** Token of the guest, for every form. */
  readonly formToken: string;
  /** Path and query of the page. */
  readonly path: string;
  /** The form that was just sent and not accepted. */
  readonly refusal?: FormRefusal | undefined;
  /** The origin of the API, and of the website. */
  readonly apiOrigin: string;
  readonly siteOrigin: string;
  /** Address of the API's documentation. */
  readonly referenceUrl: string;
  /** Settings with facts about the service and its operator. */
  readonly site: Partial<WebsiteConfig>;
  /** The browser has a session, valid or not: the account is offered, and its page asks to sign in if needed. */
  readonly hasSession: boolean;
}

export const PageContext = createContext<PageContextValue>({
  formToken: '',
  path: '',
  apiOrigin: '',
  siteOrigin: '',
  referenceUrl: '',
  site: {},
  hasSession: false,
});

export function usePage(): PageContextValue {
  return useContext(PageContext);
}
