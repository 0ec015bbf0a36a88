import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runOrThrow, type Stack } from '#dev';
import { createFundedAccount, spentBy } from '../../support/accounts.js';
import { type CodeBlock } from '../../support/code-blocks.js';
import { type Loss, LossyProxy } from '../../support/lossy-proxy.js';
import { startOperatedStack } from './operated-stack.js';
import { compile, PackedClient } from './packed-client.js';

/** What a block did. */
interface BlockResult {
  readonly output: string;
  readonly credits: number;
  /** The content of a file that it wrote. */
  readonly file: (name: string) => string;
}

export interface BlockConditions {
  /** The credits of the account whose key it has. */
  readonly funds?: number;
  /** The answers that are lost on their way, by the number of the request from 0 on. */
  readonly lossOf?: (request: number) => Loss | null;
  /** What happens after a run, before the block is run once more; what all runs print is one output. */
  readonly then?: readonly (() => Promise<unknown>)[];
}

/**
 * A reader who tries the code of some pages: with a stack, the client from its package, and an account for each block. Each
 * block runs in an empty folder beside the client. A TypeScript block that makes no client continues the first one of its page; all
 * of them have to pass the strict compiler. Other blocks don't depend on others.
 */
export class Reader {
  private constructor(
    readonly stack: Stack,
    readonly client: PackedClient,
  ) {}

  /** The services and the client have to be built. Throws with the compiler's messages. */
  static async start(blocks: readonly CodeBlock[]): Promise<Reader> {
    const client = await PackedClient.install();
    const scripts = blocks.filter(({ language }) => language === 'ts');
    const files = scripts.map((block) => {
      const first = scripts.find(({ page }) => page === block.page);
      const standsAlone = block === first || block.code.includes('new CreatorSearch(');
      const code = standsAlone ? block.code : `${first?.code}\n${block.code}`;
      return client.write(`${nameOf(block)}.mts`, code);
    });
    await compile(client, files);
    return new Reader(await startOperatedStack(), client);
  }

  /** Throws with what the block prints when it fails. */
  async run(block: CodeBlock, conditions: BlockConditions = {}): Promise<BlockResult> {
    const { funds = 1_000, lossOf, then = [] } = conditions;
    const account = await createFundedAccount({ credits: funds });
    const proxy = lossOf && (await new LossyProxy(this.stack.publicUrl, lossOf).listen());
    const folder = join(this.client.directory, nameOf(block));
    mkdirSync(folder, { recursive: true });
    const environment = {
      BASE_URL: proxy?.url ?? this.stack.publicUrl,
      API_KEY: account.key,
      SLUG: 'mira-solenne',
    };
    const runBlock = (): Promise<string> =>
      runOrThrow(...commandOf(block), { cwd: folder, env: { ...process.env, ...environment } });
    let output = '';
    try {
      const credits = await spentBy(account.id, async () => {
        output = await runBlock();
        for (const event of then) {
          await event();
          output += await runBlock();
        }
      });
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

function commandOf(block: CodeBlock): [program: string, parameters: string[]] {
  switch (block.language) {
    case 'ts':
      return [process.execPath, [`../${nameOf(block)}.mjs`]];
    case 'sh':
      return ['bash', ['-euo', 'pipefail', '-c', block.code]];
    case 'python':
      return ['python3', ['-c', block.code]];
    case 'json':
      throw new Error('JSON is not run');
  }
}

function nameOf({ page, line }: CodeBlock): string {
  return `${basename(page, '.md')}-line-${line}`;
}
