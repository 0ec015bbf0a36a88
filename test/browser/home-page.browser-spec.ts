import { describeInBrowser } from './support/browser-suite.js';
import { problemsOf } from './support/looks.js';

describeInBrowser('the home page', (browser) => {
  it.each(['/', '/nothing'])('%s fits every width and is accessible in both schemes', async (path) => {
    const visitor = await browser.newVisitor();
    visitor.allow(/status of 404/);
    const page = await visitor.open(path);
    expect(await problemsOf(page, path)).toEqual([]);
  });

  it('shows a request in one of four languages, by mouse and by keyboard, also without scripts', async () => {
    const visitor = await browser.newVisitor({ javaScriptEnabled: false });
    const page = await visitor.open('/');
    const isShown = (text: string) => page.getByText(text).isVisible();
    expect([await isShown('curl -G'), await isShown('claude mcp add')]).toEqual([true, false]);
    await page.getByText('TypeScript', { exact: true }).click();
    expect([await isShown('curl -G'), await isShown('new CreatorSearch')]).toEqual([false, true]);
    for (let times = 0; times < 2; times += 1) await page.keyboard.press('ArrowRight');
    expect([await isShown('new CreatorSearch'), await isShown('claude mcp add')]).toEqual([false, true]);
  });
});
