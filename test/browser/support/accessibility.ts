import axe from 'axe-core';
import { type Page } from 'playwright-core';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** The problems that axe-core finds on the page as it is now, a line for each element; `rules`: only these, default all. */
export async function accessibilityProblems(page: Page, rules: readonly string[] = []): Promise<string[]> {
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
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${oneLine(failureSummary)}`),
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
