import {
  edgeSettings,
  emailAddress,
  footerSettings,
  origin,
  pageUrl,
  port,
  sharedPorts,
  tlsProblems,
} from '#http';
import {
  commonConfig,
  type Environment,
  integer,
  internalPort,
  loadConfig,
  shutdownProblems,
} from '#platform';
import { str } from 'envalid';
import { openidProblems, openidSettings } from './openid-settings.js';

/** All configuration variables of the website. */
export const websiteSpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_003),
  SITE_PORT: port({ default: 3_002, desc: 'port of the website; ignored when LISTEN_FDS passes a socket' }),
  SITE_HOST: str({ default: '127.0.0.1', desc: 'address on which the website listens' }),
  LISTEN_FDS: integer({ min: 0, max: 1 })({
    default: 0,
    desc: 'sockets inherited from the parent process, as systemd passes them: 1 is that of the website (descriptor 3)',
  }),
  ...edgeSettings,
  SITE_URL: origin({
    default: undefined,
    desc: 'origin at which people reach the website, for example `https://creators.example`: of links in mails and errors, of cookies, and of the forms that are accepted; default: SITE_HOST and SITE_PORT',
  }),
  PUBLIC_URL: origin({
    default: undefined,
    desc: 'origin at which customers reach the API, for the examples on pages and the link to the reference; default: SITE_URL, where a proxy serves both by path',
  }),
  SALES_EMAIL: emailAddress({
    default: undefined,
    desc: 'address to which customers write about Enterprise and about anything that the account pages do not offer; default: SUPPORT_EMAIL',
  }),
  ...footerSettings,
  OPT_OUT_URL: pageUrl({
    default: undefined,
    desc: 'page on which creators ask to be corrected or removed; default: they write to SUPPORT_EMAIL',
  }),
  ...openidSettings,
};

/** Throws one `ConfigError` with all problems, including those between variables. */
export function readWebsiteConfig(environment: Environment) {
  return loadConfig(websiteSpecs, environment, [
    shutdownProblems,
    // An inherited socket needs no port.
    ({ LISTEN_FDS: inherited = 0, ...config }) =>
      sharedPorts([
        { name: 'SITE_PORT', port: inherited < 1 ? config.SITE_PORT : 0, host: config.SITE_HOST },
        { name: 'INTERNAL_PORT', port: config.INTERNAL_PORT, host: config.INTERNAL_HOST },
      ]),
    tlsProblems,
    openidProblems,
  ]);
}

export type WebsiteConfig = ReturnType<typeof readWebsiteConfig>;

/** The settings without which customers miss something. */
export function operatorOf(config: WebsiteConfig): Readonly<Record<string, string | undefined>> {
  const { COMPANY, TERMS_URL, PRIVACY_URL, STATUS_URL, SUPPORT_EMAIL } = config;
  return { COMPANY, TERMS_URL, PRIVACY_URL, STATUS_URL, SUPPORT_EMAIL };
}
