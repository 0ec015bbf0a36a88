import { join } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { fail, run } from '../bootstrap/run.mjs';
import { OwnContainers } from '../testing/own-containers.js';

const usage = `Usage: npm run test:e2e -- [--target deployed|sentinel|cluster|citus|compose] [options of jest]

Without a target, against a separate stack of processes of this machine.

  --target  deployed: the same with the databases, roles and users that the scripts of deploy/compose make;
            sentinel, cluster: the same on a Redis that sentinels watch, on a Redis Cluster;
            citus: the same with the creators distributed over two workers, where PostgreSQL has Citus;
            compose: containers of docker-compose.yml, built and started for this run with their own name, ports, volumes
            and secrets, and removed afterwards; running ones are not touched.

BASE_URL, ADMIN_URL and ADMIN_TOKEN, without a target, point the suites at a running stack.`;

function jest(
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  signal?: AbortSignal,
): Promise<{ code: number }> {
  const program = join(root, 'node_modules/jest/bin/jest.js');
  const env = { ...process.env, ...environment };
  return run(process.execPath, [program, '--selectProjects', 'e2e', '--ci', ...parameters], { env, signal });
}

async function againstContainers(parameters: readonly string[]): Promise<{ code: number }> {
  if (process.env.BASE_URL) fail('BASE_URL is set: omit --target to test a running stack.');
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort());
  const containers = new OwnContainers();
  try {
    const variables = await containers.start(interruption.signal);
    return await jest(parameters, variables, interruption.signal);
  } finally {
    await containers.remove();
  }
}

const layouts = ['deployed', 'sentinel', 'cluster', 'citus'];

const [first, target, ...rest] = process.argv.slice(2);
if (first !== '--target') {
  process.exitCode = (await jest(process.argv.slice(2))).code;
} else if (target !== undefined && layouts.includes(target)) {
  process.exitCode = (await jest(rest, { E2E_SERVERS: target })).code;
} else if (target === 'compose') {
  await againstContainers(rest).then(
    ({ code }) => (process.exitCode = code),
    (error: unknown) => fail(error instanceof Error ? error.message : String(error)),
  );
} else {
  fail(usage);
}
