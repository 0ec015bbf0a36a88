import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { widths } from './visitor.js';

const looks = {
  desktop: { width: widths.desktop, height: 800, colorScheme: 'light' },
  'desktop-dark': { width: widths.desktop, height: 800, colorScheme: 'dark' },
  phone: { width: widths.phone, height: 844, colorScheme: 'light' },
} as const;

type LookName = keyof typeof looks;

export const allLooks = Object.keys(looks) as LookName[];

/** Saves pictures of the page that is open into the folder that PICTURES names; without one, does nothing. */
export async function savePictures(
  page: Page,
  name: string,
  wanted: readonly LookName[] = ['desktop'],
): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  for (const look of wanted) {
    const { width, height, colorScheme } = looks[look];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), animations: 'disabled' });
  }
}
