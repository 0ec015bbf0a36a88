import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap/paths.mjs';
import { checkNode, ensureDependencies } from './bootstrap/prepare.mjs';
import { fail, run } from './bootstrap/run.mjs';

const usage = `Usage: npm run test:e2e -- [--target local|sentinel|cluster|pgbouncer|replica|citus|compose] [options of jest]

  --target  local (default): a stack of its own, as processes of this machine;
            sentinel, cluster: the same on a Redis that sentinels watch, on a Redis Cluster;
            pgbouncer, replica: on a PostgreSQL behind PgBouncer, on one with a hot standby for the catalog's reads;
            citus: on a Citus with two workers, where PostgreSQL has the extension;
            compose: the containers of docker-compose.yml, which are built and started when they don't run yet,
            and then removed with their volumes in the end`;

const secrets = join(root, 'deploy/compose/secrets');

async function compose(...parameters) {
  const { code, output } = await run('docker', ['compose', ...parameters], { quiet: true });
  if (code !== 0) fail(`${output}\n\`docker compose ${parameters.join(' ')}\` failed.`);
  return output.trim();
}

function jest(parameters, environment = {}) {
  Object.assign(process.env, environment);
  const program = join(root, 'node_modules/jest/bin/jest.js');
  return run(process.execPath, [program, '--selectProjects', 'e2e', '--ci', ...parameters]);
}

async function againstContainers(parameters) {
  const isRunning = (await compose('ps', '--quiet', 'gateway')) !== '';
  if (!isRunning) {
    if (!existsSync(join(secrets, 'admin_token')))
      await run(join(root, 'deploy/compose/make-secrets.sh'), []);
    // Suites run side by side, and each expects its bursts to be served.
    process.env.IN_FLIGHT_MIN = '512';
    await compose('up', '--build', '--detach', '--wait');
  }
  const { PUBLIC_PORT = '3000', ADMIN_PORT = '3001' } = process.env;
  try {
    return await jest(parameters, {
      BASE_URL: `http://127.0.0.1:${PUBLIC_PORT}`,
      ADMIN_URL: `http://127.0.0.1:${ADMIN_PORT}`,
      ADMIN_TOKEN: readFileSync(join(secrets, 'admin_token'), 'utf8').trim(),
    });
  } finally {
    if (!isRunning) await compose('down', '--volumes');
  }
}

process.chdir(root);
checkNode();
await ensureDependencies();
const [first, target, ...rest] = process.argv.slice(2);
if (first !== '--target') {
  process.exitCode = (await jest(process.argv.slice(2))).code;
} else if (target === 'local') {
  process.exitCode = (await jest(rest)).code;
} else if (['sentinel', 'cluster', 'pgbouncer', 'replica', 'citus'].includes(target)) {
  process.exitCode = (await jest(rest, { E2E_SERVERS: target })).code;
} else if (target === 'compose') {
  process.exitCode = (await againstContainers(rest)).code;
} else {
  fail(usage);
}
