import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CreatorRecord } from '@app/contracts';
import { type Stack } from '@app/local-stack';
import { linesOf } from './import-creators.js';
import { runCli } from './run-cli.js';

/** An import by an operator: a process of its own sends a file that was made before. */
export class CliImport {
  private readonly directory = mkdtempSync(join(tmpdir(), 'import-'));
  private readonly file = join(this.directory, 'creators.ndjson');
  seconds = 0;

  constructor(
    private readonly stack: Pick<Stack, 'adminUrl' | 'adminToken'>,
    records: Iterable<CreatorRecord>,
  ) {
    for (const piece of linesOf(records)) writeFileSync(this.file, piece, { flag: 'a' });
  }

  /** Throws when the import does not succeed. */
  async run(): Promise<void> {
    const { seconds } = await runCli(this.stack, ['creators', 'import', this.file]);
    this.seconds = seconds;
    rmSync(this.directory, { recursive: true });
  }
}
