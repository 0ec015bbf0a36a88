import { type MailServer } from './mail-server.js';

/** Injection token of `MailOptions`. */
export const MAIL_OPTIONS = Symbol('MAIL_OPTIONS');

/** How mail is sent; from the configuration of the service. */
export interface MailOptions {
  /** `null`: no mail is sent. */
  readonly server: MailServer | null;
  /** Of every mail: `Name <address>`, or an address. */
  readonly from: string;
  /** Where customers reach the account pages, for links; `null`: not known. */
  readonly pagesUrl: string | null;
}
