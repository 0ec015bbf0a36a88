import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchDirectories } from './source-watcher.js';

let directory: string;
let source: string;
let builds: EventEmitter;
let end: () => void;

/** Builds by reading the source file, after `before` has resolved. */
function watchSource(before: () => Promise<void> = () => Promise.resolve()): void {
  end = watchDirectories([directory], async () => {
    builds.emit('began', existsSync(source) ? readFileSync(source, 'utf8') : null);
    await before();
  });
}

/** Resolves when a build reads this text. */
function built(text: string): Promise<void> {
  return new Promise((resolve) => {
    builds.on('began', (read) => {
      if (read === text) resolve();
    });
  });
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sources-'));
  source = join(directory, 'source.ts');
  builds = new EventEmitter();
});
afterEach(() => {
  end();
  rmSync(directory, { recursive: true });
});

it('a change that is saved during a rebuild is built after it', async () => {
  let releaseFirst: () => void = () => undefined;
  const first = new Promise<void>((released) => (releaseFirst = released));
  watchSource(() => first);

  const one = built('one');
  writeFileSync(source, 'one');
  await one;
  const two = built('two');
  writeFileSync(source, 'two');
  // The watcher's quiet time is over while the first build still runs: what was lost before.
  setTimeout(() => releaseFirst(), 700);
  await two;
});

it('every change is built of a file that an editor saves by renaming a new one over it', async () => {
  writeFileSync(source, 'none');
  watchSource();
  for (const text of ['one', 'two', 'three']) {
    const saved = built(text);
    writeFileSync(join(directory, 'source.ts~'), text);
    renameSync(join(directory, 'source.ts~'), source);
    await saved;
  }
});

it('a file in a new directory is built, also when that is removed and made again', async () => {
  const inner = join(directory, 'inner');
  source = join(inner, 'deep', 'source.ts');
  watchSource();
  for (const text of ['one', 'two']) {
    rmSync(inner, { recursive: true, force: true });
    mkdirSync(join(inner, 'deep'), { recursive: true });
    const created = built(text);
    writeFileSync(source, text);
    await created;
    const changed = built(`${text} changed`);
    writeFileSync(source, `${text} changed`);
    await changed;
  }
});
