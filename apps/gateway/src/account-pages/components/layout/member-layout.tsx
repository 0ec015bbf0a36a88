import { type AccountSession } from '@app/contracts';
import { type ComponentChildren } from 'preact';
import { type Section } from '../../view/page.js';
import { type Theme } from '../../view/theme.js';
import { AccountMenu } from './account-menu.js';
import { Brand } from './brand.js';
import { Foot } from './foot.js';
import { InvitationNotice } from './invitation-notice.js';
import { Navigation } from './navigation.js';
import { StoppedNotice } from './stopped-notice.js';

interface MemberLayoutProps {
  readonly session: AccountSession;
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
        <Brand />
        <AccountMenu session={session} />
        <Navigation section={section} />
      </header>
      <main id="content" tabIndex={-1}>
        {session.account.is_stopped && <StoppedNotice />}
        <InvitationNotice count={session.invitations ?? 0} />
        {children}
      </main>
      <Foot theme={theme}>
        <span>Days are counted in UTC; times are in your time zone.</span>
      </Foot>
    </div>
  );
}
