import axe from 'axe-core';
import { type Page } from 'playwright-core';
import { widths } from './visitor.js';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** What is too wide on the page that is open now, at every width, and what axe finds in both schemes. */
export async function problemsOf(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [device, width] of Object.entries(widths)) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) problems.push(`${overflow} pixels too wide on a ${device}`);
  }
  // The schemes differ only in their colours: all rules are checked in one of them.
  for (const [colorScheme, rules] of [
    ['light', []],
    ['dark', ['color-contrast']],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    // Scripts are notified of the change before the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    problems.push(...(await accessibilityProblems(page, rules)));
  }
  return problems.map((problem) => `${name}: ${problem}`);
}

/** The problems that axe-core finds on the page as it is now, a line for each element; without `rules`: by all rules. */
async function accessibilityProblems(page: Page, rules: readonly string[]): Promise<string[]> {
  // The debugger runs it: the Content-Security-Policy of the page stays as it is.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    async (only) => {
      // Colours are measured: those that are still changing would be wrong.
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
      return window.axe.run({ resultTypes: ['violations'], ...(only.length > 0 ? { runOnly: only } : {}) });
    },
    [...rules],
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) =>
      `${id} ${target.join(' ')}: ${failureSummary}`.replace(/\s+/g, ' '),
    ),
  );
}
