import { readFileSync } from 'node:fs';
import { type ServiceName, serviceNames, type Stack } from '@app/local-stack';
import { type DeployedLayout, startDeployed } from '@app/testing';
import { currentVersion, lastRelease } from '../../tools/version/releases.js';
import { codeBlocksOf } from '../support/code-blocks.js';
import { builtRelease } from './support/built-release.js';
import { MixedTraffic } from './support/mixed-traffic.js';
import { startOperatedStack } from './support/operated-stack.js';

type Version = 'old' | 'new';
type Step = readonly [service: ServiceName, version: Version];

/** The order of the commands for compose in docs/operations.md, which roll out and then back. */
const documented: readonly Step[] = codeBlocksOf('docs/operations.md', 'Releases and roll-outs')
  .map(({ code }) => [...code.matchAll(/^replace (\w+)$/gm)].map(([, service]) => service as ServiceName))
  .filter((services) => services.length > 0)
  .flatMap((services, back) => services.map((service) => [service, back === 0 ? 'new' : 'old'] as const));
/** One after the other, they lead through the mixes that the documented order never has. */
const otherOrders: readonly Step[] = [
  ['catalog', 'new'],
  ['billing', 'new'],
  ['gateway', 'new'],
  ['billing', 'old'],
  ['catalog', 'old'],
  ['billing', 'new'],
  ['gateway', 'old'],
  ['billing', 'old'],
];
const release = lastRelease();
/** Of the builds of this version. */
const { commit: builtCommit } = JSON.parse(readFileSync('dist/apps/gateway/build.json', 'utf8')) as {
  commit: string;
};

let layout: DeployedLayout | undefined;
let stack: Stack | undefined;

afterEach(async () => {
  await stack?.stop();
  await layout?.stop();
});

it(`every mix of ${release.version} and this version serves, charges once and counts right while one rolls over the other`, async () => {
  const old = await builtRelease(release);
  const checkouts = { old, new: process.cwd() };
  // With the roles and users of that release: what this version needs, its migrations have to grant.
  layout = await startDeployed(old);
  stack = await startOperatedStack({
    ...layout.options,
    checkout: old,
    replicas: { gateway: 2, catalog: 2, billing: 2 },
  });
  const traffic = await MixedTraffic.start(stack.publicUrl);
  const running: Record<ServiceName, Version> = { gateway: 'old', catalog: 'old', billing: 'old' };
  const lines: string[] = [];
  const mixes = new Set<string>();
  let seen = traffic.progress;

  const step = async (what: string, work: () => Promise<void>): Promise<void> => {
    await work();
    for (const service of serviceNames) {
      for (const url of stack?.internalUrls[service] ?? []) {
        const isNew = (await commitOf(url)) === builtCommit;
        expect({ service, isNew }).toEqual({ service, isNew: running[service] === 'new' });
      }
    }
    const mix = serviceNames.map((service) => `${service} ${running[service]}`).join(', ');
    mixes.add(mix);
    const now = traffic.progress;
    const [calls, lost] = [now.requests - seen.requests, now.failed.length - seen.failed.length];
    lines.push(`${what.padEnd(28)}${mix.padEnd(42)}${String(calls).padStart(6)} calls, ${lost} failed`);
    seen = now;
  };

  await step('start', () => Promise.resolve());
  const migrate = (version: Version): Promise<void> =>
    step(`migrate, ${version}`, async () => stack?.migrate(checkouts[version]));
  const replace = ([service, version]: Step): Promise<void> =>
    step(`${service} to ${version}`, async () => {
      await stack?.restartService(service, checkouts[version]);
      running[service] = version;
    });
  await migrate('new');
  for (const one of documented) await replace(one);
  // As `docker compose up` does with the old version, and before the next attempt with the new one.
  await migrate('old');
  await migrate('new');
  for (const one of otherOrders) await replace(one);
  const { creditsSeen, creditsTaken, paidTwice, wrongCredits, wrongCalls, wrongPurchases, ...rest } =
    await traffic.stop();
  const { requests, failed } = traffic.progress;
  process.stdout.write(
    [
      `${release.version} (old) and ${currentVersion()} (new), 2 of each service`,
      ...lines,
      `calls ${requests}, failed ${failed.length}; mixes ${mixes.size}`,
      `credits that the clients saw ${creditsSeen}, taken ${creditsTaken}; paid twice ${paidTwice.length}, wrong ${wrongCredits.length}`,
      `purchases ${rest.purchases}, wrong ${wrongPurchases.length}`,
      `audit ${rest.audit.ok ? 'ok' : 'NOT ok'}: ${rest.audit.entries} entries, ${rest.audit.discrepancies.length} discrepancies\n`,
    ].join('\n'),
  );
  expect(failed).toEqual([]);
  expect(mixes.size).toBe(2 ** serviceNames.length);
  expect({ paidTwice, wrongCredits, wrongCalls, wrongPurchases }).toEqual({
    paidTwice: [],
    wrongCredits: [],
    wrongCalls: [],
    wrongPurchases: [],
  });
  expect(creditsTaken).toBe(creditsSeen);
  expect(Math.min(creditsSeen, rest.purchases, requests)).toBeGreaterThan(100);
  expect(rest.audit).toMatchObject({ ok: true, discrepancies: [] });
}, 600_000);

/** What a replica says it was built from. */
async function commitOf(internalUrl: string): Promise<string | undefined> {
  const health = (await (await fetch(`${internalUrl}/health/ready`)).json()) as { commit?: string };
  return health.commit;
}
