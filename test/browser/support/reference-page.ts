import { environment } from '../../support/environment.js';
import { type Locator, type Page } from 'playwright-core';

/** Its address. */
export function docs(): string {
  return `${environment.publicUrl}/docs`;
}

/** A group of operations as the page lists it. */
export interface ListedGroup {
  readonly name: string;
  readonly operations: readonly string[];
}

/** The answer to a call, as the page shows it. */
export interface ShownAnswer {
  readonly status: string;
  readonly body: unknown;
  readonly headers: string;
}

/** The API reference as its readers use it. */
export class ReferencePage {
  private constructor(readonly page: Page) {}

  /** The page in this tab, once its operations are listed. */
  static async in(page: Page): Promise<ReferencePage> {
    await page.locator('.opblock').first().waitFor();
    return new ReferencePage(page);
  }

  /** Each group with the method, path and summary of its operations. */
  async groups(): Promise<ListedGroup[]> {
    const sections = await this.page.locator('.opblock-tag-section').all();
    return Promise.all(
      sections.map(async (section) => ({
        name: (await section.locator('.opblock-tag').getAttribute('data-tag')) ?? '',
        operations: await Promise.all(
          (await section.locator('.opblock-summary-control').all()).map((button) => words(button)),
        ),
      })),
    );
  }

  get keyButton(): Locator {
    return this.page.getByRole('region', { name: 'API key' }).getByRole('button', { name: 'Authorize' });
  }

  get keyDialog(): Locator {
    return this.page.getByRole('dialog', { name: 'API key' });
  }

  async enterKey(key: string): Promise<void> {
    await this.keyButton.click();
    await this.keyDialog.getByRole('textbox', { name: 'API key' }).fill(key);
    await this.keyDialog.getByRole('button', { name: 'Authorize' }).click();
    await this.keyDialog.locator('.btn-done').click();
  }

  /** The operation with this `operationId`, opened and ready to be tried. */
  async tryOut(operationId: string): Promise<TriedOperation> {
    const block = this.page.locator(`[id$="-${operationId}"]`);
    const summary = block.locator('.opblock-summary-control');
    if ((await summary.getAttribute('aria-expanded')) !== 'true') await summary.click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    return new TriedOperation(this.page, block);
  }
}

/** An operation whose parameters can be filled in. */
export class TriedOperation {
  constructor(
    private readonly page: Page,
    readonly block: Locator,
  ) {}

  async fill(parameter: string, value: string): Promise<void> {
    await this.block.locator(`[data-param-name="${parameter}"] input`).fill(value);
  }

  /** Shows the schema of the first documented answer, to its depth, in place of its example; returns where. */
  async showSchema(): Promise<Locator> {
    const answer = this.block.locator('.responses-inner .model-example').first();
    await answer.getByRole('tab', { name: 'Schema' }).click();
    await answer.getByRole('button', { name: 'Expand all' }).first().click();
    return answer;
  }

  /** Makes the call; resolves once its answer is shown. */
  async execute(): Promise<ShownAnswer> {
    const execute = this.block.getByRole('button', { name: 'Execute' });
    const isCall = (url: URL) => url.pathname.startsWith('/api/');
    const [response] = await Promise.all([
      this.page.waitForResponse((answer) => isCall(new URL(answer.url()))),
      execute.click(),
    ]);
    const { 'x-request-id': requestId = '' } = response.headers();
    return shownAnswer(this.block.locator('.live-responses-table', { hasText: requestId }));
  }
}

async function shownAnswer(table: Locator): Promise<ShownAnswer> {
  const status = await table.locator('tbody .response-col_status').innerText();
  const [body = '', headers = ''] = await table.locator('pre.microlight').allInnerTexts();
  return { status: status.trim(), body: JSON.parse(body) as unknown, headers };
}

async function words(locator: Locator): Promise<string> {
  return (await locator.innerText())
    .replace(/\u200b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
