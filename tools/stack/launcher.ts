import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseName, removeStackFile, Stack, type StackOptions, writeStackFile } from '#local-stack';
import { AdminClient } from '../cli/admin-client.js';
import { createSignInLink, prepareDemoAccount } from './demo-account.js';
import {
  type CardSales,
  checkServerUrls,
  type Mailing,
  openCardSales,
  openMailing,
} from './external-servers.js';
import { claimDataDirectory, releaseDataDirectory } from './launcher-file.js';
import { readLauncherState, resetDataDirectory, updateLauncherState } from './launcher-state.js';
import { type LauncherOptions } from './options.js';
import { choosePort } from './choose-port.js';
import { type Report } from './report.js';
import { loadSample, sampleCount } from './sample.js';
import { summaryOf } from './summary.js';

const usualPublicPort = 3000;
const usualAdminPort = 3001;

/** The local stack with its data directory, sample, demo account and `stack.json`. */
export class Launcher {
  private stack: Stack | undefined;
  private cardSales: CardSales | undefined;
  private mailing: Mailing | undefined;
  private demoKey: string | null = null;
  private signInUrl: string | null = null;
  private readonly stackFile: string;

  constructor(
    private readonly options: LauncherOptions,
    private readonly report: Report,
  ) {
    this.stackFile = join(options.dataDirectory, 'stack.json');
  }

  /** Resolves once clients can search. When something does not start, stops everything again and throws. */
  async start(): Promise<Stack> {
    const { dataDirectory } = this.options;
    mkdirSync(dataDirectory, { recursive: true });
    claimDataDirectory(dataDirectory);
    process.once('exit', () => {
      removeStackFile(this.stackFile);
      releaseDataDirectory(dataDirectory);
    });
    if (this.options.reset) await resetDataDirectory(dataDirectory);
    updateLauncherState(dataDirectory, {});
    this.cardSales = await openCardSales(process.env);
    this.mailing = await openMailing(process.env);
    const stack = new Stack(await this.stackOptions(this.cardSales, this.mailing));
    this.cardSales.sendWebhooksTo(stack.publicUrl);
    await stack.start();
    this.stack = stack;
    updateLauncherState(dataDirectory, { admin_token: stack.adminToken });
    const client = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    await this.prepareCatalog(client);
    await this.prepareDemo(client);
    this.writeStackFile();
    return stack;
  }

  /** Does not touch the stack of another launcher, whose file this one refused to replace. */
  async stop(): Promise<void> {
    if (this.stack) removeStackFile(this.stackFile);
    await this.stack?.stop();
    await this.cardSales?.stop();
    await this.mailing?.stop();
  }

  /** The summary printed when everything is ready. */
  get summary(): string {
    const { options, demoKey, signInUrl, cardSales, mailing, report, runningStack } = this;
    return summaryOf(runningStack, {
      dataDirectory: options.dataDirectory,
      demoKey,
      signInUrl,
      standInUrl: cardSales?.standInUrl ?? null,
      mailboxUrl: mailing?.mailboxUrl ?? null,
      elapsed: report.elapsed,
    });
  }

  private get runningStack(): Stack {
    if (!this.stack) throw new Error('the stack is not running');
    return this.stack;
  }

  private async stackOptions(cardSales: CardSales, mailing: Mailing): Promise<StackOptions> {
    const { replicas, dataDirectory, publicPort, adminPort } = this.options;
    const { SERVICE_REDIS_URL, CATALOG_DATABASE_URL, BILLING_DATABASE_URL } = process.env;
    checkServerUrls(process.env);
    return {
      replicas,
      dataDirectory,
      publicPort: await choosePort('--public-port', publicPort, usualPublicPort),
      adminPort: await choosePort('--admin-port', adminPort, usualAdminPort),
      adminToken: readLauncherState(dataDirectory).admin_token,
      redisUrl: SERVICE_REDIS_URL || undefined,
      catalogDatabaseUrl: CATALOG_DATABASE_URL || undefined,
      billingDatabaseUrl: BILLING_DATABASE_URL || undefined,
      // A service that runs in production refuses the stand-in for Stripe.
      environment: { NODE_ENV: 'development', ...mailing.environment, ...cardSales.environment },
      onStep: (step, durationMs) => this.report.step(step, durationMs),
      onNewDatabase: (name) => this.rememberNew(name),
      onEvent: (text) => this.report.event(text),
      onChange: () => this.writeStackFile(),
    };
  }

  private rememberNew(name: DatabaseName): void {
    const change = name === 'catalog' ? { sample_pending: this.options.sample } : { demo_pending: true };
    updateLauncherState(this.options.dataDirectory, change);
  }

  /** Reloads a sample that was interrupted: its creators are the same, so there are no duplicates. */
  private async prepareCatalog(client: AdminClient): Promise<void> {
    const { dataDirectory, sample } = this.options;
    if (!sample) return;
    if (!readLauncherState(dataDirectory).sample_pending) {
      if (process.env.CATALOG_DATABASE_URL) this.report.line(leftAlone('CATALOG', 'no sample creators'));
      return;
    }
    const label = `${sampleCount.toLocaleString('en')} sample creators loaded`;
    await this.report.timed(
      () => label,
      () => loadSample(client),
    );
    updateLauncherState(dataDirectory, { sample_pending: false });
  }

  private async prepareDemo(client: AdminClient): Promise<void> {
    const { dataDirectory } = this.options;
    const { demo, demo_pending } = readLauncherState(dataDirectory);
    if (process.env.BILLING_DATABASE_URL && !demo_pending && !demo) {
      this.report.line(leftAlone('BILLING', 'no demo account'));
      return;
    }
    const { account } = await this.report.timed(
      ({ credits }) => `demo account with ${credits} credits`,
      () => prepareDemoAccount(client, demo),
    );
    updateLauncherState(dataDirectory, { demo: account, demo_pending: false });
    this.demoKey = account.key;
    if (process.env.ACCOUNT_PAGES !== 'off') this.signInUrl = await createSignInLink(client, account);
  }

  private writeStackFile(): void {
    if (this.stack) writeStackFile(this.stackFile, this.stack.describe(this.demoKey));
  }
}

/** A database given by the user that was in use before gets neither sample nor demo account. */
function leftAlone(database: 'CATALOG' | 'BILLING', what: string): string {
  return `  ${what}: ${database}_DATABASE_URL was in use before`;
}
