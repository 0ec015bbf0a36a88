import { spawnSync } from 'node:child_process';
import { type BlockLanguage, type CodeBlock } from '../../support/code-blocks.js';
import { type BlockConditions, type Reader } from './reader.js';

interface More extends BlockConditions {
  /** A file that the block writes, and what is expected of it. */
  readonly file?: readonly [name: string, check: (text: string) => void];
}

/** What the reader of a page is promised about one of its blocks, the only one with these words. */
export type BlockTrial = readonly [
  language: BlockLanguage,
  words: string,
  credits: number,
  output: RegExp,
  more?: More,
];

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Tests that every block of a page, as it is written, does what the page says, at the price that it says. */
export function describeBlocks(
  name: string,
  blocks: readonly CodeBlock[],
  trials: readonly BlockTrial[],
  reader: () => Reader,
): void {
  describe(name, () => {
    for (const trial of trials) {
      // Machines of developers may have no Python; that of the project's checks must.
      const test = trial[0] === 'python' && !hasPython && !process.env.CI ? it.skip : it;
      test(`${trial[0]}: ${trial[1]}`, () => tryBlock(blocks, trial, reader()));
    }

    it('has no other code', () => {
      const others = blocks.filter((block) => !trials.some((trial) => isBlockOf(trial, block)));
      expect(others.map(({ language, line }) => `${language} in line ${line}`)).toEqual([]);
    });
  });
}

async function tryBlock(blocks: readonly CodeBlock[], trial: BlockTrial, reader: Reader): Promise<void> {
  const [block, ...others] = blocks.filter((each) => isBlockOf(trial, each));
  if (!block || others.length > 0) throw new Error(`not one block has ${JSON.stringify(trial[1])}`);
  const [, , price, printed, { file: written, ...conditions } = {}] = trial;
  const { output, credits, file } = await reader.run(block, conditions);
  expect(output).toMatch(printed);
  if (written) written[1](file(written[0]));
  expect(credits).toBe(price);
}

function isBlockOf([language, words]: BlockTrial, block: CodeBlock): boolean {
  return block.language === language && block.code.includes(words);
}
