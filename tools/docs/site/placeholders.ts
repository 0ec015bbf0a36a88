/** What the gateway puts into the pages when it starts: its own addresses and names. */
export const placeholders = {
  /** The origin of the API. */
  api: '%%PUBLIC_URL%%',
  /** The origin of the website; where there is none, the links with it are left out. */
  site: '%%SITE_URL%%',
  product: '%%PRODUCT_NAME%%',
  /** What is not set is left out. */
  company: '%%COMPANY%%',
  terms: '%%TERMS_URL%%',
  privacy: '%%PRIVACY_URL%%',
  support: 'mailto:%%SUPPORT_EMAIL%%',
  status: '%%STATUS_URL%%',
  /** The path of a file that pages load. */
  file: (name: string): string => `/docs/%%${name}%%`,
};
