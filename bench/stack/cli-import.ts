import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CreatorRecord } from '@app/contracts';
import { type Stack } from '@app/local-stack';
import { linesOf } from './import-creators.js';

const cli = 'dist/tools/tools/cli/main.js';

/** An import by an operator: a process of its own sends a file that was made before. */
export class CliImport {
  private readonly directory = mkdtempSync(join(tmpdir(), 'import-'));
  private readonly file = join(this.directory, 'creators.ndjson');
  private tookMs = 0;

  constructor(
    private readonly stack: Pick<Stack, 'adminUrl' | 'adminToken'>,
    records: Iterable<CreatorRecord>,
  ) {
    for (const piece of linesOf(records)) writeFileSync(this.file, piece, { flag: 'a' });
  }

  get seconds(): number {
    return this.tookMs / 1_000;
  }

  /** Throws when the import does not succeed. */
  async run(): Promise<void> {
    const { adminUrl, adminToken } = this.stack;
    const startedAt = performance.now();
    const child = spawn(process.execPath, [cli, 'creators', 'import', this.file], {
      env: { ...process.env, ADMIN_URL: adminUrl, ADMIN_TOKEN: adminToken },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    this.tookMs = performance.now() - startedAt;
    rmSync(this.directory, { recursive: true });
    if (code !== 0) throw new Error(`the import ended with ${String(code)}`);
  }
}
