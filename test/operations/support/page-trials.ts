import { spawnSync } from 'node:child_process';
import { type BlockLanguage, type CodeBlock } from '../../support/code-blocks.js';
import { createFundedAccount } from '../../support/accounts.js';
import { type BlockConditions, type BlockResult, type Reader } from './reader.js';

/** What the reader of a page is promised about one of its blocks. */
export interface BlockTrial {
  readonly language: BlockLanguage;
  /** Only this block of its page has them. */
  readonly words: string;
  readonly credits: number;
  readonly conditions?: BlockConditions;
  readonly check: (result: BlockResult) => void;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Machines of developers may have no Python; that of the project's checks must. */
function isLeftOut(language: BlockLanguage): boolean {
  return language === 'python' && !hasPython && !process.env.CI;
}

/** Tests that every block of a page, as it is written, does what the page says, at the price that it says. */
export function describeBlocks(
  name: string,
  blocks: readonly CodeBlock[],
  trials: readonly BlockTrial[],
  reader: () => Reader,
): void {
  describe(name, () => {
    for (const trial of trials) {
      const test = isLeftOut(trial.language) ? it.skip : it;
      test(`${trial.language}: ${trial.words}`, () => tryBlock(blocks, trial, reader()));
    }

    it('has no other code', () => {
      const known = (block: CodeBlock): boolean => trials.some((trial) => isBlockOf(trial, block));
      const others = blocks.filter((block) => !known(block));
      expect(others.map(({ language, line }) => `${language} in line ${line}`)).toEqual([]);
    });
  });
}

/** Tests that every block of a page runs with a test key too, for nothing. */
export function describeWithTestKey(
  name: string,
  blocks: readonly CodeBlock[],
  trials: readonly BlockTrial[],
  reader: () => Reader,
): void {
  describe(`${name}, with a test key`, () => {
    for (const trial of trials) {
      const test = isLeftOut(trial.language) ? it.skip : it;
      test(`${trial.language}: ${trial.words}`, async () => {
        const account = await createFundedAccount({ mode: 'test' });
        const { credits } = await reader().run(blockOf(blocks, trial), { account });
        expect(credits).toBe(0);
      });
    }
  });
}

function blockOf(blocks: readonly CodeBlock[], trial: BlockTrial): CodeBlock {
  const [block, ...others] = blocks.filter((each) => isBlockOf(trial, each));
  if (block && others.length === 0) return block;
  throw new Error(`not one block has ${JSON.stringify(trial.words)}`);
}

async function tryBlock(blocks: readonly CodeBlock[], trial: BlockTrial, reader: Reader): Promise<void> {
  const result = await reader.run(blockOf(blocks, trial), trial.conditions);
  trial.check(result);
  expect(result.credits).toBe(trial.credits);
}

function isBlockOf({ language, words }: BlockTrial, block: CodeBlock): boolean {
  return block.language === language && block.code.includes(words);
}
