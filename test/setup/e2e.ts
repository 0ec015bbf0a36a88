import { Stack, type StackOptions } from '#dev';
import { type ServerLayout, serverLayouts } from '#testing';
import { type Selling, startSelling } from './selling.js';
import { type Stop } from './stop.js';

/**
 * The stack that the suites call: the one of BASE_URL, ADMIN_URL and ADMIN_TOKEN when those are given, else a private one
 * with E2E_REPLICAS processes of each service, by default `replicasDefault`, on other servers than one PostgreSQL and one
 * Redis when E2E_SERVERS says so. The private one sells and sends mail.
 */
export default async function setUp(replicasDefault = 2): Promise<Stop | undefined> {
  const given = ['BASE_URL', 'ADMIN_URL', 'ADMIN_TOKEN'].filter((name) => process.env[name]);
  if (given.length === 3) return undefined;
  if (given.length > 0) throw new Error('BASE_URL, ADMIN_URL and ADMIN_TOKEN have to be set together.');
  const replicas = Number(process.env.E2E_REPLICAS ?? replicasDefault);
  const layout = await startLayout(process.env.E2E_SERVERS);
  const selling = await startSelling();
  const stack = await startStack(replicas, selling, layout?.options);
  const variables = {
    BASE_URL: stack.publicUrl,
    SITE_BASE_URL: stack.siteUrl,
    ADMIN_URL: stack.adminUrl,
    ADMIN_TOKEN: stack.adminToken,
    STACK_BILLING_DATABASE_URL: stack.databaseUrls.billing,
    ...selling.variables,
  };
  Object.assign(process.env, variables);
  return async () => {
    for (const name of Object.keys(variables)) delete process.env[name];
    await stack.stop();
    await selling.stop();
    await layout?.stop();
  };
}

async function startStack(replicas: number, selling: Selling, options: StackOptions = {}): Promise<Stack> {
  const stack: Stack = new Stack({
    ...options,
    environment: { ...options.environment, ...selling.environment },
    environmentOf: async (service, servers) => ({
      PUBLIC_URL: stack.publicUrl,
      SITE_URL: stack.siteUrl,
      ...(await options.environmentOf?.(service, servers)),
    }),
    replicas: { gateway: replicas, website: replicas, catalog: replicas, billing: replicas },
    onEvent: (text) => process.stderr.write(`${text}\n`),
  });
  await stack.start();
  selling.sendEventsTo(stack.siteUrl);
  return stack;
}

async function startLayout(name = ''): Promise<ServerLayout | null> {
  if (name === '') return null;
  const start = serverLayouts[name];
  if (!start) throw new Error(`E2E_SERVERS is one of ${Object.keys(serverLayouts).join(', ')}.`);
  return start();
}
