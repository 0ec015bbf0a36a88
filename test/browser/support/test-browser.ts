import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { environment } from '../../support/environment.js';
import { Visitor } from './visitor.js';

/** The Chromium of one suite, without a window. It reaches the stack under test and nothing else. */
export class TestBrowser {
  private browser: Browser | undefined;
  private readonly visitors: Visitor[] = [];

  constructor(private readonly executablePath: string) {}

  async start(): Promise<void> {
    const { hostname } = new URL(environment.publicUrl);
    this.browser = await chromium.launch({
      executablePath: this.executablePath,
      args: ['--disable-gpu', '--disable-quic', `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${hostname}`],
    });
  }

  async stop(): Promise<void> {
    await this.browser?.close();
  }

  /** A visitor with a browser that was never used. */
  async newVisitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    if (!this.browser) throw new Error('the browser has not been started');
    const context = await this.browser.newContext({ baseURL: environment.siteUrl, ...options });
    const visitor = new Visitor(context);
    this.visitors.push(visitor);
    return visitor;
  }

  /** A page of the website, or one at a whole address, as a new visitor sees it. */
  async open(path: string, width?: number): Promise<Page> {
    return (await this.newVisitor()).open(path, width);
  }

  /** Ends all visits; returns what went wrong in them. */
  async endTest(): Promise<string[]> {
    const problems = await Promise.all(this.visitors.splice(0).map((visitor) => visitor.leave()));
    return problems.flat();
  }
}
