import { commonConfig, databaseConfig, loadConfig, urlWith, type Environment } from '@app/platform';

const specs = {
  ...commonConfig,
  ...databaseConfig,
  CATALOG_DATABASE_URL: urlWith('postgres:', 'postgresql:')({ desc: 'database of the creators' }),
  SITE_URL: urlWith(
    'http:',
    'https:',
  )({
    default: 'http://localhost:3000',
    desc: "site on which people see a creator's profile: SITE_URL/creators/{slug}",
  }),
};

/** Everything that can be set on the catalog; raises `ConfigError` with every problem at once. */
export function readCatalogConfig(environment: Environment) {
  return loadConfig(specs, environment);
}

export type CatalogConfig = ReturnType<typeof readCatalogConfig>;
