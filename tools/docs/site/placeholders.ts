/** What the gateway puts into the pages when it starts: its own addresses and names. */
export const placeholders = {
  /** The origin of the API. */
  api: '%%PUBLIC_URL%%',
  /** The origin of the website; where there is none, the links with it are left out. */
  site: '%%SITE_URL%%',
  product: '%%PRODUCT_NAME%%',
  /** The path of a file that pages load. */
  file: (name: string): string => `/docs/%%${name}%%`,
};
