import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchDirectories } from './source-watcher.js';

let directory: string;
let end: () => void;

beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'sources-'))));
afterEach(() => {
  end();
  rmSync(directory, { recursive: true });
});

it('a change that is saved during a rebuild is built after it', async () => {
  const source = join(directory, 'source.ts');
  const builds = new EventEmitter();
  let releaseFirst: () => void = () => undefined;
  const first = new Promise<void>((released) => (releaseFirst = released));
  let count = 0;
  end = watchDirectories([directory], async () => {
    const built = readFileSync(source, 'utf8');
    count += 1;
    builds.emit('began', built);
    if (count === 1) await first;
    builds.emit('ended', built);
  });

  const began = once(builds, 'began');
  writeFileSync(source, 'one');
  expect(await began).toEqual(['one']);
  const again = once(builds, 'began');
  writeFileSync(source, 'two');
  // The watcher's quiet time is over while the first build still runs: what was lost before.
  setTimeout(() => releaseFirst(), 700);
  expect(await again).toEqual(['two']);
  expect(count).toBe(2);
});
