import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findChromium, missingChromium, provideChromium } from './chromium.js';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'chromium-'))));
afterEach(() => rmSync(root, { recursive: true }));

function addProgram(...path: string[]): string {
  const file = join(root, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '', { mode: 0o755 });
  return file;
}

describe('the browser of the tests', () => {
  it('is the one of CHROMIUM_PATH, else Chromium on PATH, else Chrome', () => {
    const PATH = ['first', 'second'].map((name) => join(root, name)).join(delimiter);
    expect(findChromium({ PATH })).toBeNull();
    const chrome = addProgram('first', 'google-chrome');
    expect(findChromium({ PATH })).toBe(chrome);
    const chromium = addProgram('second', 'chromium');
    expect(findChromium({ PATH })).toBe(chromium);
    expect(findChromium({ PATH, CHROMIUM_PATH: '' })).toBe(chromium);
    const own = addProgram('own');
    expect(findChromium({ PATH, CHROMIUM_PATH: own })).toBe(own);
  });

  it('is never another one than CHROMIUM_PATH says', () => {
    const PATH = join(addProgram('first', 'chromium'), '..');
    expect(() => findChromium({ PATH, CHROMIUM_PATH: join(root, 'none') })).toThrow('CHROMIUM_PATH');
  });
});

it('CI fails without a browser, others read what to install', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const install = () => Promise.resolve();
  expect(await provideChromium({ PATH: root }, install)).toBeNull();
  expect(write.mock.calls.join()).toContain(missingChromium);
  await expect(provideChromium({ PATH: root, CI: 'true' }, install)).rejects.toThrow(missingChromium);
  write.mockRestore();
});
