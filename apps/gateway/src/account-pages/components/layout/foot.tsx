import { type ComponentChildren } from 'preact';
import { type Theme } from '../../view/theme.js';
import { usePage } from '../../view/page-context.js';
import { ThemeSwitch } from './theme-switch.js';

interface FootProps {
  readonly theme: Theme;
  readonly children?: ComponentChildren;
}

/** What every page ends with. */
export function Foot({ theme, children }: FootProps) {
  const { hasReference } = usePage();
  return (
    <footer class="foot">
      {children}
      {hasReference && <a href="/docs">API reference</a>}
      <ThemeSwitch theme={theme} />
    </footer>
  );
}
