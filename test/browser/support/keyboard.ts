import { type Locator, type Page } from 'playwright-core';

const stepsMax = 100;

/**
 * Presses Tab until `target` has the focus. Throws when it does not get there, or when one of the steps on the way does not
 * show that it has the focus.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < stepsMax; steps += 1) {
    await page.keyboard.press('Tab');
    await assertVisibleFocus(page);
    if (await hasFocus(target)) return;
  }
  throw new Error(`Tab does not lead to ${target.toString()}`);
}

/** Whether `target` or something in it has the focus. */
export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.contains(document.activeElement));
}

async function assertVisibleFocus(page: Page): Promise<void> {
  const hidden = await page.evaluate(() => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return null;
    const { outlineStyle, boxShadow } = getComputedStyle(activeElement);
    return outlineStyle === 'none' && boxShadow === 'none' ? activeElement.outerHTML.slice(0, 200) : null;
  });
  if (hidden !== null) throw new Error(`nothing shows that it has the focus: ${hidden}`);
}
