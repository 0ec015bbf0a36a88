import { pagePaths } from '../../paths/page-paths.js';
import { type Section } from '../../view/page.js';

const sections: Readonly<Record<Section, string>> = {
  overview: 'Overview',
  keys: 'API keys',
  buy: 'Buy credits',
  usage: 'Usage',
  statement: 'Statement',
  settings: 'Settings',
};

/** The sections of the account pages. */
export function Navigation({ section }: { readonly section: Section | undefined }) {
  return (
    <nav class="navigation" aria-label="Account">
      <ul>
        {(Object.keys(sections) as Section[]).map((name) => (
          <li key={name}>
            <a href={pagePaths[name]} aria-current={name === section ? 'page' : undefined}>
              {sections[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
