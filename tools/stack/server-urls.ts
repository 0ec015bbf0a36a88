import { loadConfig, redisUrl, urlWith, type Environment } from '@app/platform';

const database = urlWith('postgres:', 'postgresql:');
const specs = {
  CATALOG_DATABASE_URL: database({ default: '', desc: 'database of the creators' }),
  BILLING_DATABASE_URL: database({ default: '', desc: 'database of the accounts and the ledger' }),
  SERVICE_REDIS_URL: redisUrl({ default: '', desc: 'Redis of the services' }),
};

/** Throws a `ConfigError` naming every invalid variable, before anything is started. */
export function checkServerUrls(environment: Environment): void {
  loadConfig(specs, environment);
}
