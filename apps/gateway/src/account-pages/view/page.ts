import { type ComponentChildren } from 'preact';
import { type FormRefusal } from './sent-form.js';

/** The sections that the navigation shows. */
export type Section = 'overview' | 'keys' | 'buy' | 'usage' | 'statement' | 'settings';

/** What a handler of a page returns to show it. */
export interface PageView {
  /** For the tab of the browser. */
  readonly title: string;
  /** The section that it belongs to; none before a visitor has signed in. */
  readonly section?: Section;
  readonly body: ComponentChildren;
  /** Another origin to which its forms may lead. */
  readonly formTarget?: string;
  /** For everyone: search engines may show it. */
  readonly isPublic?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** The browser loads this path next, by itself. */
  readonly next?: { readonly path: string; readonly afterSeconds: number };
  /** The form of the page that was just sent and not accepted (`refuse`). */
  readonly refusal?: FormRefusal;
}

/** What a handler of a form returns when it is done: the browser loads this path with GET. */
export class SeeOther {
  constructor(readonly location: string) {}
}

/** What a handler of a download returns: lines of CSV, as they come. */
export class CsvFile {
  constructor(
    readonly name: string,
    readonly pieces: Iterable<string> | AsyncIterable<string>,
  ) {}
}

/** All that a handler may answer with. */
export type PageResult = PageView | SeeOther | CsvFile;
