import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isPortFree, removeStackFile, Stack, type StackOptions, writeStackFile } from '@app/testing';
import { AdminClient } from '../cli/admin-client.js';
import { prepareDemoAccount } from './demo-account.js';
import { claimDataDirectory, releaseDataDirectory } from './launcher-file.js';
import { readLauncherState, updateLauncherState } from './launcher-state.js';
import { type LauncherOptions } from './options.js';
import { type Report } from './report.js';
import { loadSample, sampleCount } from './sample.js';

const usualPublicPort = 3000;
const usualAdminPort = 3001;

/** The local stack with its data directory, sample, demo account and `stack.json`. */
export class Launcher {
  private stack: Stack | undefined;
  private demoKey: string | null = null;
  private readonly stackFile: string;

  constructor(
    private readonly options: LauncherOptions,
    private readonly report: Report,
  ) {
    this.stackFile = join(options.dataDirectory, 'stack.json');
  }

  /** Resolves once a caller can search. Raises, with everything stopped again, when something does not start. */
  async start(): Promise<Stack> {
    const { dataDirectory } = this.options;
    mkdirSync(dataDirectory, { recursive: true });
    claimDataDirectory(dataDirectory);
    process.once('exit', () => {
      removeStackFile(this.stackFile);
      releaseDataDirectory(dataDirectory);
    });
    const stack = new Stack(await this.stackOptions());
    await stack.start();
    this.stack = stack;
    updateLauncherState(dataDirectory, { admin_token: stack.adminToken });
    const client = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    await this.prepareCatalog(client);
    await this.prepareDemo(client);
    this.writeStackFile();
    return stack;
  }

  /** Does nothing to a stack of another launcher, whose file this one's start has refused to replace. */
  async stop(): Promise<void> {
    if (!this.stack) return;
    removeStackFile(this.stackFile);
    await this.stack.stop();
  }

  /** What to show when everything is ready. */
  get summary(): string {
    const { publicUrl, adminUrl, logDirectory } = this.runningStack;
    const example = `${publicUrl}/api/public/v1/search?limit=3`;
    return [
      '',
      `Ready after ${this.report.elapsed}. Try it:`,
      '',
      `curl -H 'Authorization: Bearer ${this.demoKey}' '${example}'`,
      '',
      `  public API   ${publicUrl}`,
      `  admin API    ${adminUrl}   (npm run cli -- --help)`,
      `  logs         ${shorten(logDirectory)}`,
      '',
    ].join('\n');
  }

  private get runningStack(): Stack {
    if (!this.stack) throw new Error('the stack is not running');
    return this.stack;
  }

  private async stackOptions(): Promise<StackOptions> {
    const { replicas, dataDirectory, publicPort, adminPort } = this.options;
    const { SERVICE_REDIS_URL, CATALOG_DATABASE_URL, BILLING_DATABASE_URL } = process.env;
    return {
      replicas,
      dataDirectory,
      publicPort: await choosePort('--public-port', publicPort, usualPublicPort),
      adminPort: await choosePort('--admin-port', adminPort, usualAdminPort),
      adminToken: readLauncherState(dataDirectory).admin_token,
      redisUrl: SERVICE_REDIS_URL || undefined,
      catalogDatabaseUrl: CATALOG_DATABASE_URL || undefined,
      billingDatabaseUrl: BILLING_DATABASE_URL || undefined,
      onStep: (step, durationMs) => this.report.step(step, durationMs),
      onNewCatalog: () => updateLauncherState(dataDirectory, { sample_pending: this.options.sample }),
      onEvent: (text) => this.report.event(text),
      onChange: () => this.writeStackFile(),
    };
  }

  /** A sample that was interrupted is loaded again: the same creators come, so nothing is doubled. */
  private async prepareCatalog(client: AdminClient): Promise<void> {
    const { dataDirectory, sample } = this.options;
    if (!sample || !readLauncherState(dataDirectory).sample_pending) return;
    const label = `${sampleCount.toLocaleString('en')} sample creators loaded`;
    await this.report.timed(
      () => label,
      () => loadSample(client),
    );
    updateLauncherState(dataDirectory, { sample_pending: false });
  }

  private async prepareDemo(client: AdminClient): Promise<void> {
    const { dataDirectory } = this.options;
    const { account } = await this.report.timed(
      ({ credits }) => `demo account with ${credits} credits`,
      () => prepareDemoAccount(client, readLauncherState(dataDirectory).demo),
    );
    updateLauncherState(dataDirectory, { demo: account });
    this.demoKey = account.key;
  }

  private writeStackFile(): void {
    if (this.stack) writeStackFile(this.stackFile, this.stack.describe(this.demoKey));
  }
}

function shorten(path: string): string {
  const fromHere = relative('.', path);
  return fromHere.startsWith('..') ? path : fromHere;
}

/** A port that was asked for has to be free; the usual one gives way to any other. */
async function choosePort(option: string, wanted: number | undefined, usual: number): Promise<number> {
  const free = await isPortFree(wanted ?? usual);
  if (free) return wanted ?? usual;
  if (wanted === undefined) return 0;
  throw new Error(`Port ${wanted} is taken. Name another one with ${option}.`);
}
