import { provideChromium } from '../browser/support/chromium.js';
import startStack from './e2e.js';
import { type Stop } from './stop.js';

/**
 * A browser in CHROMIUM_PATH, and the stack of the end-to-end suites, with one of each service: pages look the same with more.
 * Without a browser the suites are skipped and need no stack.
 */
export default async function setUp(): Promise<Stop | undefined> {
  const path = await provideChromium();
  if (path === null) return undefined;
  process.env.CHROMIUM_PATH = path;
  return startStack(1);
}
