import { missingChromium } from './chromium.js';
import { TestBrowser } from './test-browser.js';

/** Starting a browser and looking at every element of a page take long on a machine that does other work too. */
const testTimeoutMs = 120_000;

/**
 * Declares tests of pages in a real browser, at the stack under test. A test fails when anything goes wrong in one of its
 * pages: a request to another origin, an error on the console, a violation of the Content-Security-Policy. Without a browser
 * on this machine the tests are skipped.
 */
export function describeInBrowser(name: string, define: (browser: TestBrowser) => void): void {
  const path = process.env.CHROMIUM_PATH;
  if (!path) {
    describe.skip(`${name} (${missingChromium})`, () => define(new TestBrowser('')));
    return;
  }
  jest.setTimeout(testTimeoutMs);
  const browser = new TestBrowser(path);
  describe(name, () => {
    beforeAll(() => browser.start());
    afterAll(() => browser.stop());
    afterEach(async () => expect(await browser.endTest()).toEqual([]));
    define(browser);
  });
}
