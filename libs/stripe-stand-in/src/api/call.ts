import { type Books } from '../books/returns.js';
import { type FormTree } from './form.js';

/** What the API works on. */
export interface ApiBooks extends Books {
  /** Where webhooks go. */
  readonly webhookUrl: () => string | undefined;
}

/** A request to the API; `form` is its body or its query. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly form: FormTree;
}
