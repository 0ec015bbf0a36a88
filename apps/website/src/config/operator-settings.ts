import { footerSettings, pageUrl } from '#http';

/** What the pages say of the service and of who runs it. Each is shown where it is set. */
export const operatorSettings = {
  ...footerSettings,
  OPT_OUT_URL: pageUrl({
    default: undefined,
    desc: 'page on which creators ask to be corrected or removed; default: they write to SUPPORT_EMAIL',
  }),
};
