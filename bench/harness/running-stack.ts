import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type ImportReport } from '#contracts';
import { type StackFile } from '#dev';
import { AdminClient, path } from '../../tools/cli/admin-client.js';
import { generateCreators } from '../../tools/generator/generate-creators.js';
import { ndjson } from '../../tools/generator/ndjson.js';
import { cpuMs, walBytes } from './usage.js';

const run = promisify(execFile);

const keysPerAccount = 5;
const accountsAtOnce = 4;
const creditsOfAccount = 1_000_000;

/** The services of a checkout, started by its own `npm start`, with their own PostgreSQL and Redis. */
export class RunningStack {
  private readonly admin: AdminClient;

  private constructor(
    readonly name: string,
    private readonly checkout: string,
    private readonly directory: string,
    private readonly file: StackFile,
  ) {
    this.admin = new AdminClient({ url: file.admin_url, token: file.admin_token });
  }

  /** Builds and starts the checkout. */
  static async start(name: string, checkout: string): Promise<RunningStack> {
    const directory = mkdtempSync(join(tmpdir(), 'bench-stack-'));
    const options = ['--detach', '--no-sample', '--data-dir', directory];
    await run(process.execPath, ['tools/start.mjs', ...options], { cwd: checkout });
    const file = JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8')) as StackFile;
    return new RunningStack(name, checkout, directory, file);
  }

  get origin(): string {
    return this.file.public_url;
  }

  /** Imports generated creators; throws when a line was rejected. */
  async importCreators(count: number, seed: number): Promise<void> {
    const lines = Readable.from(ndjson(generateCreators({ count, seed })));
    const report = await this.admin.upload<ImportReport>('/creators/import', lines);
    if (report.rejected > 0) throw new Error(JSON.stringify(report.errors));
  }

  /** The keys of new accounts with credits, five of each account. */
  async createKeys(accounts: number): Promise<string[]> {
    const keys: string[] = [];
    let begun = 0;
    const work = async (): Promise<void> => {
      while (begun++ < accounts) keys.push(...(await this.createAccount()));
    };
    await Promise.all(Array.from({ length: accountsAtOnce }, work));
    return keys;
  }

  private async createAccount(): Promise<string[]> {
    const body = { name: 'Benchmark', email: 'benchmark@customer.example' };
    const { id } = await this.admin.post<{ id: string }>('/accounts', body);
    const adjustment = { credits: creditsOfAccount, reason: 'benchmark', reference: 'benchmark' };
    await this.admin.post(path`/accounts/${id}/adjustments`, adjustment);
    const keys: string[] = [];
    for (let number = 0; number < keysPerAccount; number++) {
      const created = await this.admin.post<{ key: string }>(path`/accounts/${id}/keys`, {
        name: 'benchmark',
      });
      keys.push(created.key);
    }
    return keys;
  }

  /** What it has used since it was started: CPU milliseconds of each part, and bytes of write-ahead log. */
  async usage() {
    const { pids, billing_database_url } = this.file;
    const used = Object.entries(pids).map(([part, own]) => [
      part,
      own.reduce((sum, pid) => sum + cpuMs(pid), 0),
    ]);
    return {
      cpuMs: Object.fromEntries(used) as Record<string, number>,
      walBytes: await walBytes(billing_database_url),
    };
  }

  /** Throws when the ledger does not add up. */
  async audit(): Promise<void> {
    const { ok } = await this.admin.get<{ ok: boolean }>('/ledger/audit');
    if (!ok) throw new Error(`the ledger of ${this.name} does not add up`);
  }

  async stop(): Promise<void> {
    await run(process.execPath, ['tools/stop.mjs', '--data-dir', this.directory], { cwd: this.checkout });
    rmSync(this.directory, { recursive: true, force: true });
  }
}
