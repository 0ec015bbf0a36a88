import { readFileSync } from 'node:fs';
import { configurationPage, exampleEnvironment } from './configuration.js';

/** The formatter pads the columns of tables and wraps nothing. */
function withoutPadding(text: string): string {
  return text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
}

describe('the documented variables are those that the services check', () => {
  it('in docs/configuration.md', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    expect(withoutPadding(page)).toBe(withoutPadding(configurationPage()));
  });

  it('in .env.example', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(exampleEnvironment());
  });

  it('with a description of each variable', () => {
    for (const line of configurationPage().split('\n')) {
      if (line.startsWith('| `')) expect(line).toMatch(/\| [^|]{10,} \|$/);
    }
  });
});
