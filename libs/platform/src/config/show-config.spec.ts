import { showConfig } from './show-config.js';

it('shows every variable, and no secret', () => {
  const config = {
    OTHER_REDIS_URL:
      'redis+sentinel://gateway:hunter2@a,b/main?sentinel_password=hunter2&sentinel_username=s',
    SERVICE_REDIS_URL: 'rediss://gateway:p%40ss:w@redis.example:6379/0',
    CATALOG_DATABASE_URL: 'postgres://catalog:hunter2@db.example/catalog',
    CATALOG_REPLICA_URLS: ['postgres://a:hunter2@one/c', 'postgres://b:hunter2@two/c'],
    SITE_URL: 'https://site.example',
    ADMIN_TOKEN: 'hunter2-hunter2-hunter2',
    STRIPE_SECRET_KEY: 'sk_live_hunter2',
    STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
    PORT: 3000,
    TLS_CERT_FILE: undefined,
  };
  expect(showConfig(config)).toBe(
    [
      'ADMIN_TOKEN=***',
      'CATALOG_DATABASE_URL=postgres://catalog:***@db.example/catalog',
      'CATALOG_REPLICA_URLS=postgres://a:***@one/c,postgres://b:***@two/c',
      'OTHER_REDIS_URL=redis+sentinel://gateway:***@a,b/main?sentinel_password=***&sentinel_username=s',
      'PORT=3000',
      'SERVICE_REDIS_URL=rediss://gateway:***@redis.example:6379/0',
      'SITE_URL=https://site.example',
      'STRIPE_SECRET_KEY=***',
      'STRIPE_WEBHOOK_SECRET=***',
      'TLS_CERT_FILE=',
      '',
    ].join('\n'),
  );
});
