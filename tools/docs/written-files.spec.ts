import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');

/** Files that documented commands write into the directory in which they are run. */
function writtenFiles(page: string): string[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );
  const targets = blocks.flatMap((code) => [
    ...code.matchAll(/(?:--output|--etag-save|--dump-header|\s>>?) "?((?:\$SLUG|\w[\w-]*)\.\w+)/g),
  ]);
  return targets.map(([, file = '']) => file.replace('$SLUG', 'mira-solenne'));
}

it('are ignored by git', () => {
  const files = pages.flatMap(writtenFiles);
  expect(files.length).toBeGreaterThan(6);
  for (const file of files) {
    expect(() => execFileSync('git', ['check-ignore', '--quiet', '--no-index', file])).not.toThrow();
  }
});
