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

const nothingToInstall = () => Promise.resolve();

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

describe('without a browser', () => {
  it('developers read what to install', async () => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await provideChromium({ PATH: root }, () => Promise.reject(new Error('installs')))).toBeNull();
    expect(write.mock.calls.join()).toContain(missingChromium);
    write.mockRestore();
  });

  it('CI installs one', async () => {
    const install = () => Promise.resolve(void addProgram('chromium'));
    expect(await provideChromium({ PATH: root, CI: 'true' }, install)).toBe(join(root, 'chromium'));
  });

  it('CI fails when none can be installed', async () => {
    await expect(provideChromium({ PATH: root, CI: 'true' }, nothingToInstall)).rejects.toThrow(
      missingChromium,
    );
  });
});
