import { footerSettings, pageUrl } from '#http';

/** Facts about the service and its operator. Each is shown if it is set. */
export const operatorSettings = {
  ...footerSettings,
  OPT_OUT_URL: pageUrl({
    default: undefined,
    desc: 'page on which creators ask to be corrected or removed; default: they write to SUPPORT_EMAIL',
  }),
};
