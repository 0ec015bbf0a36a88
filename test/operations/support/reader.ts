import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Stack } from '@app/local-stack';
import { createFundedAccount, spentBy, type TestAccount } from '../../support/accounts.js';
import { type CodeBlock, CodeBlockRunner } from '../../support/code-blocks.js';
import { type Loss, LossyProxy } from '../../support/lossy-proxy.js';
import { startOperatedStack } from './operated-stack.js';
import { PackedClient } from './packed-client.js';

/** What a block did. */
export interface BlockResult {
  readonly output: string;
  readonly credits: number;
  /** The content of a file that it wrote. */
  readonly file: (name: string) => string;
}

export interface BlockConditions {
  /** Whose key the block has; by default that of a new account with `funds` credits. */
  readonly account?: TestAccount;
  readonly funds?: number;
  /** The answers that are lost on their way, by the number of the request from 0 on. */
  readonly lossOf?: (request: number) => Loss | null;
  /** What happens after a run, before the block is run once more; what all runs print is one output. */
  readonly then?: readonly (() => Promise<unknown>)[];
}

/** A reader who tries the code of some pages: with a stack, the client from its package, and an account for each block. */
export class Reader {
  private constructor(
    readonly stack: Stack,
    private readonly client: PackedClient,
    private readonly runner: CodeBlockRunner,
  ) {}

  /** The services and the client have to be built. */
  static async start(blocks: readonly CodeBlock[]): Promise<Reader> {
    const client = await PackedClient.install();
    const runner = new CodeBlockRunner(client.directory, blocks);
    await runner.compile();
    return new Reader(await startOperatedStack(), client, runner);
  }

  /** Throws with what the block prints when it fails. */
  async run(block: CodeBlock, conditions: BlockConditions = {}): Promise<BlockResult> {
    const { funds = 1_000, lossOf, then = [] } = conditions;
    const account = conditions.account ?? (await createFundedAccount({ credits: funds }));
    const proxy = lossOf && (await LossyProxy.open(this.stack.publicUrl, lossOf));
    const environment = {
      BASE_URL: proxy?.origin ?? this.stack.publicUrl,
      API_KEY: account.key,
      SLUG: 'mira-solenne',
    };
    let output = '';
    try {
      const credits = await spentBy(account.id, async () => {
        output = await this.runner.run(block, environment);
        for (const event of then) {
          await event();
          output += await this.runner.run(block, environment);
        }
      });
      const folder = this.runner.folderOf(block);
      return { output, credits, file: (name) => readFileSync(join(folder, name), 'utf8') };
    } finally {
      proxy?.close();
    }
  }

  async stop(): Promise<void> {
    this.client.remove();
    await this.stack.stop();
  }
}
