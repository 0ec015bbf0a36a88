import { type BrowserContext, type Page, type Request } from 'playwright-core';
import { environment } from '../../support/environment.js';

/** In CSS pixels: the smallest phones, a phone, a tablet, a desk. */
export const widths = { 'small phone': 320, phone: 390, tablet: 820, desktop: 1_280 } as const;

/** Someone with a browser: cookies, stored things and a cache that all pages of this visitor share, and no other visitor. */
export class Visitor {
  /** Every request of the pages, also one that the cache has answered. */
  readonly requests: Request[] = [];
  private readonly problems: string[] = [];
  private readonly allowed: RegExp[] = [];

  constructor(readonly context: BrowserContext) {
    const ours = [environment.siteUrl, environment.publicUrl].map((url) => new URL(url).origin);
    context.on('request', (request) => {
      this.requests.push(request);
      const { protocol, origin: target } = new URL(request.url());
      // The pages of both lead to each other; what a page loads is of its own origin.
      const allowed = request.isNavigationRequest() ? ours : [new URL(request.frame().url()).origin];
      if (protocol !== 'data:' && !allowed.includes(target)) {
        this.problems.push(`a request to ${request.url()}`);
      }
    });
    context.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(`on the console: ${message.text()}`);
    });
    context.on('weberror', (webError) => {
      this.problems.push(`not caught: ${webError.error().message}`);
    });
  }

  /** Opens a page in a new tab, of this width in CSS pixels. */
  async open(path: string, width: number = widths.desktop): Promise<Page> {
    const page = await this.context.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(path);
    return page;
  }

  /** Problems of which the text matches belong to the test. */
  allow(problem: RegExp): void {
    this.allowed.push(problem);
  }

  /** Closes the browser; returns what went wrong and was not allowed. */
  async leave(): Promise<string[]> {
    await this.context.close();
    return this.problems.filter((problem) => !this.allowed.some((pattern) => pattern.test(problem)));
  }
}
