import { type PageVisitor } from '#testing';
import { type Page } from 'playwright-core';
import { environment } from '../../support/environment.js';
import { type TestBrowser } from './test-browser.js';
import { type Visitor } from './visitor.js';

/** A browser in which this member is signed in already. */
export async function browserOf(browser: TestBrowser, member: PageVisitor): Promise<Visitor> {
  const visitor = await browser.newVisitor();
  const session = member.cookies.get('session');
  if (session === undefined) throw new Error('this member is not signed in');
  await visitor.context.addCookies([{ name: 'session', value: session, url: environment.siteUrl }]);
  return visitor;
}

/** Lets the visitor go to the page on which payments are made, the only other origin that the pages lead to. */
export function allowPaying(visitor: Visitor): void {
  const origin = environment.paymentsUrl ?? '';
  visitor.allow(new RegExp(`^a request to ${origin.replaceAll('.', '\\.')}/(c/pay/\\w+|favicon\\.ico)$`));
}

/** Presses a button or a link and waits for the page that it leads to. */
export async function press(page: Page, name: string, role: 'button' | 'link' = 'button'): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole(role, { name, exact: true }).first().click()]);
}
