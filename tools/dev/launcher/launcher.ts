import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { seconds } from '../../bootstrap/run.mjs';
import { AdminClient } from '../../cli/admin-client.js';
import { type DatabaseName } from '../servers/databases.js';
import { isPortFree } from '../servers/ports.js';
import { serviceNames } from '../stack/service-replica.js';
import { type StackOptions } from '../stack/stack-options.js';
import { Stack } from '../stack/stack.js';
import {
  claimDataDirectory,
  readLauncherState,
  releaseDataDirectory,
  resetDataDirectory,
  updateLauncherState,
  writePrivately,
} from './data-directory.js';
import { createSignInLink, prepareDemoAccount } from './demo-account.js';
import { cliLine, type LauncherOptions } from './options.js';
import { checkServerUrls, type ExternalServices, openExternalServices } from './external-services.js';
import { loadSample, sampleCount } from './sample.js';

const usualPublicPort = 3000;
const usualAdminPort = 3001;
const usualSitePort = 3002;
const labelWidth = 44;

/** Writes a line for the user at the terminal, or for the process that waits for a detached launcher. */
export function report(text: string): void {
  process.stdout.write(`${text}\n`);
  if (process.connected) process.send?.({ line: text });
}

/** Reports an event after the start, with the time of day. */
export function reportEvent(text: string): void {
  report(`${new Date().toTimeString().slice(0, 8)} ${text}`);
}

function reportStep(label: string, startedAt: number): void {
  report(`  ${label.padEnd(labelWidth)} ${seconds(startedAt)}`);
}

/** The local stack with its data directory, sample, demo account and `stack.json`. */
export class Launcher {
  private stack: Stack | undefined;
  private external: ExternalServices | undefined;
  private demoKey: string | null = null;
  private signInUrl: string | undefined;
  private readonly stackFile: string;

  constructor(private readonly options: LauncherOptions) {
    this.stackFile = join(options.dataDirectory, 'stack.json');
  }

  /** Resolves once clients can search. When something does not start, stops everything again and throws. */
  async start(): Promise<Stack> {
    const { dataDirectory, reset } = this.options;
    checkServerUrls(process.env);
    mkdirSync(dataDirectory, { recursive: true });
    claimDataDirectory(dataDirectory);
    process.once('exit', () => {
      this.removeStackFile();
      releaseDataDirectory(dataDirectory);
    });
    if (reset) await resetDataDirectory(dataDirectory);
    updateLauncherState(dataDirectory, {});
    this.external = await openExternalServices(process.env);
    const stack = new Stack(await this.stackOptions(this.external));
    this.external.sendWebhooksTo(stack.siteUrl);
    await stack.start();
    this.stack = stack;
    updateLauncherState(dataDirectory, { admin_token: stack.adminToken });
    const client = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    await Promise.all([this.prepareCatalog(client), this.prepareDemo(client)]);
    this.writeStackFile();
    report(this.summaryOf(stack));
    return stack;
  }

  /** Does not touch the stack of another launcher, whose file this one refused to replace. */
  async stop(): Promise<void> {
    if (this.stack) this.removeStackFile();
    await this.stack?.stop();
    await this.external?.stop();
  }

  private async stackOptions(external: ExternalServices): Promise<StackOptions> {
    const { replicas, dataDirectory, publicPort, adminPort, sitePort } = this.options;
    const { SERVICE_REDIS_URL, CATALOG_DATABASE_URL, BILLING_DATABASE_URL } = process.env;
    return {
      replicas,
      dataDirectory,
      publicPort: await choosePort('--public-port', publicPort, usualPublicPort),
      adminPort: await choosePort('--admin-port', adminPort, usualAdminPort),
      sitePort: await choosePort('--site-port', sitePort, usualSitePort),
      adminToken: readLauncherState(dataDirectory).admin_token,
      redisUrl: SERVICE_REDIS_URL || undefined,
      catalogDatabaseUrl: CATALOG_DATABASE_URL || undefined,
      billingDatabaseUrl: BILLING_DATABASE_URL || undefined,
      // A service that runs in production refuses the stand-in for Stripe.
      environment: { NODE_ENV: 'development', ...external.environment },
      onStep: reportStep,
      onNewDatabase: (name) => this.markNewDatabase(name),
      onEvent: reportEvent,
      onChange: () => this.writeStackFile(),
    };
  }

  private markNewDatabase(name: DatabaseName): void {
    const change = name === 'catalog' ? { sample_pending: this.options.sample } : { demo_pending: true };
    updateLauncherState(this.options.dataDirectory, change);
  }

  /** Reloads a sample that was interrupted: its creators are the same, so there are no duplicates. */
  private async prepareCatalog(client: AdminClient): Promise<void> {
    const { dataDirectory, sample } = this.options;
    if (!sample) return;
    if (!readLauncherState(dataDirectory).sample_pending) {
      if (process.env.CATALOG_DATABASE_URL) report(skippedBecauseInUse('CATALOG', 'no sample creators'));
      return;
    }
    const startedAt = performance.now();
    await loadSample(client);
    updateLauncherState(dataDirectory, { sample_pending: false });
    reportStep(`${sampleCount.toLocaleString('en')} sample creators loaded`, startedAt);
  }

  private async prepareDemo(client: AdminClient): Promise<void> {
    const { dataDirectory } = this.options;
    const { demo, demo_pending } = readLauncherState(dataDirectory);
    if (process.env.BILLING_DATABASE_URL && !demo_pending && !demo) {
      report(skippedBecauseInUse('BILLING', 'no demo account'));
      return;
    }
    const startedAt = performance.now();
    const { account, credits } = await prepareDemoAccount(client, demo);
    updateLauncherState(dataDirectory, { demo: account, demo_pending: false });
    this.demoKey = account.key;
    this.signInUrl = await createSignInLink(client, account);
    reportStep(`demo account with ${credits} credits`, startedAt);
  }

  private writeStackFile(): void {
    if (this.stack) writePrivately(this.stackFile, this.stack.describe(this.demoKey));
  }

  private removeStackFile(): void {
    rmSync(this.stackFile, { force: true });
  }

  /** A working call and all addresses. */
  private summaryOf({ publicUrl, siteUrl, adminUrl, internalUrls, logDirectory }: Stack): string {
    const { demoKey, external } = this;
    const logs = relative('.', logDirectory);
    const rows: [string, string | undefined, string?][] = [
      ['public API', publicUrl],
      ['reference', `${publicUrl}/docs`],
      ['site', siteUrl],
      ['account', this.signInUrl],
      ['payments', external?.hasStandIn ? 'a stand-in for Stripe: test cards only, no money' : undefined],
      ['mail', external?.mailboxUrl, 'all mail of this stack; none is sent'],
      ['admin API', adminUrl, `${cliLine(this.options.dataDirectory)} --help`],
      ...serviceNames.map((name): [string, string] => [name, internalUrls[name].join(' ')]),
      ['', '(/health/ready, /health/live, /metrics)'],
      ['logs', logs.startsWith('..') ? logDirectory : logs],
    ];
    const call = `curl -H 'Authorization: Bearer ${demoKey}' '${publicUrl}/api/public/v1/search?limit=1'`;
    return [
      `\nReady after ${seconds(0)}.${demoKey === null ? '' : ` Try it:\n\n${call}`}\n`,
      ...rows.flatMap(([name, address, remark]) =>
        address === undefined ? [] : [`  ${name.padEnd(12)} ${address}${remark ? `   (${remark})` : ''}`],
      ),
      '',
    ].join('\n');
  }
}

/** The requested port; the usual one falls back to any free port (0). Throws when the requested one is in use. */
async function choosePort(option: string, wanted: number | undefined, usual: number): Promise<number> {
  const isFree = await isPortFree(wanted ?? usual);
  if (wanted === undefined) return isFree ? usual : 0;
  if (isFree) return wanted;
  throw new Error(`Port ${wanted} is in use. Choose another one with ${option}.`);
}

/** A database given by the user that was in use before gets neither sample nor demo account. */
function skippedBecauseInUse(database: 'CATALOG' | 'BILLING', what: string): string {
  return `  ${what}: ${database}_DATABASE_URL was in use before`;
}
