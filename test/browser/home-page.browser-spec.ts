import { describeInBrowser } from './support/browser-suite.js';
import { problemsOf } from './support/looks.js';

describeInBrowser('the home page', (browser) => {
  it.each(['/', '/nothing'])('%s fits every width and is accessible in both schemes', async (path) => {
    const visitor = await browser.newVisitor();
    visitor.allow(/status of 404/);
    const page = await visitor.open(path);
    expect(await problemsOf(page, path)).toEqual([]);
  });
});
