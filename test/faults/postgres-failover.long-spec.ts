import { startStack } from '@app/local-stack';
import { failovers } from './support/failovers.js';
import { playFaults } from './support/fault-run.js';
import { expectNothingLost } from './support/fault-suite.js';
import { PatroniCluster } from './support/patroni-cluster.js';
import { reportOf } from './support/report.js';

/** How often each fault is played. */
const rounds = Number(process.env.FAILOVERS ?? 1);
const replicas = 2;
/** Its default in billing. */
const pendingTimeoutMs = 30_000;
const roundMs = 300_000;

it(
  'a standby takes the place of the primary, no charge and no purchase is lost, and calls succeed again by themselves',
  async () => {
    const cluster = await PatroniCluster.start();
    if (cluster === null) {
      process.stderr.write(
        'This machine lacks etcd, Patroni or HAProxy (Debian: etcd-server, patroni, haproxy): nothing was tried.\n',
      );
      return;
    }
    try {
      const stack = await startStack({
        ...(await cluster.stackOptions()),
        replicas: { gateway: replicas, catalog: replicas, billing: replicas },
      });
      try {
        const run = await playFaults(
          { stack, target: cluster, replicas, pendingTimeoutMs },
          Array.from({ length: rounds }, () => failovers).flat(),
        );
        process.stdout.write(`\n${reportOf(run, 'PostgreSQL by Patroni')}`);
        expectNothingLost(run);
      } finally {
        await stack.stop();
      }
    } finally {
      await cluster.stop();
    }
  },
  120_000 + rounds * roundMs,
);
