import { type Page } from 'playwright-core';

/** How many CSS pixels the page is wider than the window; 0 when it needs no scrolling sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
