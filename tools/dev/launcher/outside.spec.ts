import { checkServerUrls } from './outside.js';

it('names each variable that is not the URL of a server; those that are not set are fine', () => {
  const environment = { CATALOG_DATABASE_URL: 'garbage', SERVICE_REDIS_URL: 'http://x' };
  expect(() => checkServerUrls(environment)).toThrow(
    /CATALOG_DATABASE_URL: must be a URL that starts with postgres[^]*SERVICE_REDIS_URL: must be a URL/,
  );
  expect(() => checkServerUrls({})).not.toThrow();
});
