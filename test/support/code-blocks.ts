import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { runOrThrow } from '@app/local-stack';

export type BlockLanguage = 'ts' | 'sh' | 'python' | 'json';

/** A piece of code on a page of the documentation. */
export interface CodeBlock {
  readonly page: string;
  readonly language: BlockLanguage;
  readonly code: string;
  /** Of its first line on the page. */
  readonly line: number;
}

/** Any fence with what is behind it, so that a block in another language is noticed. */
const fenced = /^```(\w+)\n([\s\S]*?)^```$/gm;
const section = /^## .*$/gm;

/** The code blocks of a Markdown page, in all of it or in the section below a second heading. */
export function codeBlocksOf(page: string, heading?: string): CodeBlock[] {
  const text = readFileSync(page, 'utf8');
  const [from, to] = heading === undefined ? [0, text.length] : boundsOf(text, heading);
  return [...text.matchAll(fenced)]
    .filter(({ index }) => index >= from && index < to)
    .map(({ 1: language, 2: code = '', index }) => ({
      page,
      language: language as BlockLanguage,
      code,
      line: text.slice(0, index).split('\n').length + 1,
    }));
}

function boundsOf(text: string, heading: string): [number, number] {
  const starts = [...text.matchAll(section)];
  const position = starts.findIndex(([line]) => line === `## ${heading}`);
  const [start, next] = [starts[position], starts[position + 1]];
  if (!start) throw new Error(`there is no heading "${heading}"`);
  return [start.index, next?.index ?? text.length];
}

/**
 * Runs code blocks as the readers of their pages would, each in an empty folder below a directory that has what they
 * import. A TypeScript block goes on from the first one of its page, and has to pass the strict compiler; other blocks
 * don't depend on others.
 */
export class CodeBlockRunner {
  constructor(
    private readonly directory: string,
    private readonly blocks: readonly CodeBlock[],
  ) {}

  /** Call before TypeScript blocks are run. Throws with the compiler's messages. */
  async compile(): Promise<void> {
    const scripts = this.blocks.filter(({ language }) => language === 'ts');
    if (scripts.length === 0) return;
    for (const block of scripts) {
      const first = scripts.find(({ page }) => page === block.page);
      const code = block === first ? block.code : `${first?.code}\n${block.code}`;
      writeFileSync(this.path(block, '.mts'), code);
    }
    const options = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
    const target = ['--target', 'es2023', '--module', 'node16'];
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    const files = scripts.map((block) => this.path(block, '.mts'));
    const compiler = resolve('node_modules/typescript/bin/tsc');
    await runOrThrow(process.execPath, [compiler, ...options, ...target, ...types, ...files], {
      cwd: this.directory,
    });
  }

  /**
   * Returns what the block prints; throws with it when the block fails. `environment` is added to that of this process:
   * `BASE_URL`, `API_KEY`.
   */
  run(block: CodeBlock, environment: Readonly<Record<string, string>>): Promise<string> {
    const folder = this.folderOf(block);
    mkdirSync(folder, { recursive: true });
    const options = { cwd: folder, env: { ...process.env, ...environment } };
    switch (block.language) {
      case 'ts':
        return runOrThrow(process.execPath, [this.path(block, '.mjs')], options);
      case 'sh':
        return runOrThrow('bash', ['-euo', 'pipefail', '-c', block.code], options);
      case 'python':
        return runOrThrow('python3', ['-c', block.code], options);
      case 'json':
        throw new Error('JSON is not run');
    }
  }

  /** Where the block writes its files. */
  folderOf(block: CodeBlock): string {
    return this.path(block, '');
  }

  private path({ page, line }: CodeBlock, ending: string): string {
    return join(this.directory, `${basename(page, '.md')}-line-${line}${ending}`);
  }
}
