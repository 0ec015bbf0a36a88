import { type SessionView } from '@app/contracts';
import { type ComponentChildren } from 'preact';
import { type Section } from '../../view/page.js';
import { type Theme } from '../../view/theme.js';
import { AccountMenu } from './account-menu.js';
import { Navigation } from './navigation.js';
import { ThemeSwitch } from './theme-switch.js';

interface MemberLayoutProps {
  readonly session: SessionView;
  readonly section: Section | undefined;
  readonly theme: Theme;
  readonly children: ComponentChildren;
}

/** A page of an account: navigation beside it, or above it on a narrow screen. */
export function MemberLayout({ session, section, theme, children }: MemberLayoutProps) {
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="side">
        <AccountMenu session={session} />
        <Navigation section={section} />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="foot">
        <span>Days are counted in UTC; times are in your time zone.</span>
        <a href="/docs">API reference</a>
        <ThemeSwitch theme={theme} />
      </footer>
    </div>
  );
}
