import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { smallerPng } from './smaller-png.js';
import { widths } from './visitor.js';

const looks = [
  { look: 'desktop', width: widths.desktop, height: 800, colorScheme: 'light' },
  { look: 'desktop-dark', width: widths.desktop, height: 800, colorScheme: 'dark' },
  { look: 'phone', width: widths.phone, height: 844, colorScheme: 'light' },
] as const;

/** Saves pictures of the page that is open into the folder that PICTURES names; without one, does nothing. */
export async function savePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  for (const { look, width, height, colorScheme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const png = await page.screenshot({ animations: 'disabled' });
    writeFileSync(join(folder, `${name}-${look}.png`), smallerPng(png));
  }
}
