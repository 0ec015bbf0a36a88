import { setTimeout as wait } from 'node:timers/promises';
import { type Fault } from './faults.js';
import { type PatroniCluster } from './patroni-cluster.js';

type Failover = Fault<PatroniCluster>;

const longerThanTtlMs = 30_000;

/** Each ends when another node has taken the place, if one has to. */
export const failovers: readonly Failover[] = [
  failover('kill', 'primary', async (cluster) => {
    const primary = await cluster.primary();
    await primary.kill();
    await cluster.replaced('leader', primary);
    primary.start();
  }),
  failover('pause', 'primary', async (cluster) => {
    const primary = await cluster.primary();
    primary.signal('SIGSTOP');
    await cluster.replaced('leader', primary);
    primary.signal('SIGCONT');
  }),
  failover('crash', 'primary', async (cluster) => {
    const primary = await cluster.primary();
    primary.signal('SIGKILL', 'PostgreSQL');
    await cluster.replaced('leader', primary);
  }),
  failover('leave', 'primary', (cluster) => cluster.switchOver()),
  failover('kill', 'standby', async (cluster) => {
    const standby = await cluster.synchronousStandby();
    await standby.kill();
    await cluster.replaced('sync_standby', standby);
    standby.start();
  }),
  failover('pause', 'standby', async (cluster) => {
    const standby = await cluster.synchronousStandby();
    standby.signal('SIGSTOP');
    await cluster.replaced('sync_standby', standby);
    standby.signal('SIGCONT');
  }),
  failover('pause', 'every etcd', async (cluster) => {
    for (const node of cluster.nodes) node.signal('SIGSTOP', 'etcd');
    await wait(longerThanTtlMs);
    for (const node of cluster.nodes) node.signal('SIGCONT', 'etcd');
  }),
];

function failover(kind: string, target: string, inject: Failover['inject']): Failover {
  return { kind, target, inject, overcome: (cluster) => cluster.whole() };
}
