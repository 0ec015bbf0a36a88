import { footerSettings, pageUrl } from '#http';

/** What the pages say of the service and of who runs it. Each is shown where it is set. */
export const operatorSettings = {
  ...footerSettings,
  OPT_OUT_URL: pageUrl({
    default: undefined,
    desc: 'page on which creators ask to be corrected or removed; default: they write to SUPPORT_EMAIL',
  }),
};

type Setting = 'COMPANY' | 'TERMS_URL' | 'PRIVACY_URL' | 'STATUS_URL' | 'SUPPORT_EMAIL';
export type Operator = { readonly [Name in Setting | 'OPT_OUT_URL']?: string };

/** The settings without which customers miss something. */
export function operatorOf(config: Operator): Readonly<Record<Setting, string | undefined>> {
  const { COMPANY, TERMS_URL, PRIVACY_URL, STATUS_URL, SUPPORT_EMAIL } = config;
  return { COMPANY, TERMS_URL, PRIVACY_URL, STATUS_URL, SUPPORT_EMAIL };
}
