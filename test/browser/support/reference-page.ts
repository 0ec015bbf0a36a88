import { type Locator, type Page } from 'playwright-core';
import { environment } from '../../support/environment.js';

/** The address of a page of the documentation. */
export function docs(path = ''): string {
  return `${environment.publicUrl}/docs${path}`;
}

/** The answer to a call, as the page shows it. */
export interface ShownAnswer {
  readonly status: string;
  readonly body: unknown;
  readonly headers: string;
}

/** The form of an operation with this `operationId`, unfolded. */
export async function tryOut(page: Page, operationId: string): Promise<TriedOperation> {
  const block = page.locator('.try', { has: page.locator(`form[aria-label="Try ${operationId}"]`) });
  await block.locator('summary').click();
  return new TriedOperation(block);
}

/** An operation whose parameters can be filled in. */
export class TriedOperation {
  constructor(readonly block: Locator) {}

  /** `API key`, or the name of a parameter. */
  async fill(label: string, value: string): Promise<void> {
    await this.block.getByLabel(label, { exact: true }).fill(value);
  }

  /** Makes the call; resolves once its answer is shown. */
  async send(): Promise<ShownAnswer> {
    const isCall = (url: URL) => url.pathname.startsWith('/api/');
    const [response] = await Promise.all([
      this.block.page().waitForResponse((answer) => isCall(new URL(answer.url()))),
      this.block.getByRole('button', { name: 'Send' }).click(),
    ]);
    const { 'x-request-id': requestId = '' } = response.headers();
    const result = this.block.locator('.result', { hasText: requestId });
    const headers = await result.getByRole('group', { name: 'Headers' }).innerText();
    const body = await result.getByRole('group', { name: 'Body' }).innerText();
    const status = await result.locator('strong').innerText();
    return { status: status.slice(0, 3), headers, body: JSON.parse(body) as unknown };
  }
}
