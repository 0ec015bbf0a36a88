import { emailAddress, productName } from '#http';
import { urlWith } from '#platform';
import { str } from 'envalid';

const page = urlWith('https:', 'http:');

/** What the pages say of the service and of who runs it. Each is shown where it is set. */
export const operatorSettings = {
  PRODUCT_NAME: productName,
  COMPANY: str({
    default: undefined,
    desc: 'who runs the service, as in a contract, for example `Example Ltd, 1 Main Street, London`: at the foot of every page',
  }),
  TERMS_URL: page({ default: undefined, desc: 'page with the terms of service' }),
  PRIVACY_URL: page({ default: undefined, desc: 'page with the privacy notice' }),
  STATUS_URL: page({ default: undefined, desc: 'page that says whether the service works' }),
  OPT_OUT_URL: page({
    default: undefined,
    desc: 'page on which creators ask to be corrected or removed; default: they write to SUPPORT_EMAIL',
  }),
  SUPPORT_EMAIL: emailAddress({ default: undefined, desc: 'address to which customers and creators write' }),
};

type Setting = 'COMPANY' | 'TERMS_URL' | 'PRIVACY_URL' | 'STATUS_URL' | 'SUPPORT_EMAIL';
export type Operator = { readonly [Name in Setting | 'OPT_OUT_URL']?: string };

/** The settings without which customers miss something. */
export function operatorOf(config: Operator): Readonly<Record<Setting, string | undefined>> {
  const { COMPANY, TERMS_URL, PRIVACY_URL, STATUS_URL, SUPPORT_EMAIL } = config;
  return { COMPANY, TERMS_URL, PRIVACY_URL, STATUS_URL, SUPPORT_EMAIL };
}
