import { type Page } from 'playwright-core';
import { accessibilityProblems } from './accessibility.js';
import { schemes, widths } from './visitor.js';

/** The page that is open now, at every width. */
export async function overflowsOf(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [device, width] of Object.entries(widths)) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await overflowOf(page);
    if (overflow > 0) problems.push(`${name}: ${overflow} pixels too wide on a ${device}`);
  }
  return problems;
}

/** The same, and what axe finds in both schemes. */
export async function problemsOf(page: Page, name: string): Promise<string[]> {
  const problems = [...(await overflowsOf(page, name)), ...(await schemeProblems(page))];
  return problems.map((problem) => `${name}: ${problem}`);
}

/** What axe finds at this width. The schemes differ only in their colours: all of its rules are checked in one of them. */
export async function schemeProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    // Scripts are notified of the change before the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const rules = colorScheme === 'light' ? [] : ['color-contrast'];
    problems.push(...(await accessibilityProblems(page, rules)));
  }
  return problems;
}

/** How many CSS pixels the page is wider than the window; 0 when it needs no scrolling sideways. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
