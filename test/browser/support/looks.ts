import { type Page } from 'playwright-core';
import { accessibilityProblems } from './accessibility.js';
import { overflowOf } from './overflow.js';
import { widths } from './visitor.js';

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

/** The same in both schemes too: they differ in their colours alone. */
export async function problemsOf(page: Page, name: string): Promise<string[]> {
  const problems = await overflowsOf(page, name);
  await page.emulateMedia({ colorScheme: 'light' });
  problems.push(...(await accessibilityProblems(page)));
  await page.emulateMedia({ colorScheme: 'dark' });
  problems.push(...(await accessibilityProblems(page, ['color-contrast'])));
  return problems.map((problem) => `${name}: ${problem}`);
}
