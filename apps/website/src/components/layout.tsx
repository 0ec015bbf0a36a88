import { type AccountSession } from '#contracts';
import { type ComponentChildren } from 'preact';
import { homePath, pagePaths } from '../paths/page-paths.js';
import { pageFiles } from '../paths/page-files.js';
import { type PageView, type Section, type Theme, themeNames, themes, usePage } from '../view/page.js';
import { Button } from './controls.js';
import { Callout } from './display.js';
import { Form } from './form.js';

interface DocumentProps {
  readonly page: PageView;
  readonly theme: Theme;
  /** Of the member who asks. */
  readonly session: AccountSession | undefined;
}

/** The HTML document with a page. */
export function Document({ page, theme, session }: DocumentProps) {
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        {page.next && (
          <meta http-equiv="refresh" content={`${page.next.afterSeconds};url=${page.next.path}`} />
        )}
        {!page.isPublic && <meta name="robots" content="noindex" />}
        <title>{`${page.title} - Creator Search`}</title>
        <link rel="icon" href={pageFiles.icon} type="image/svg+xml" />
        {pageFiles.styles.map((address) => (
          <link key={address} rel="stylesheet" href={address} />
        ))}
        {pageFiles.scripts.map((address) => (
          <script key={address} defer src={address}></script>
        ))}
      </head>
      <body>
        {session ? (
          <MemberLayout {...{ page, theme, session }} />
        ) : (
          <div class="visitor">
            <header>
              <Brand />
            </header>
            <main id="content">{page.body}</main>
            <Foot theme={theme} />
          </div>
        )}
      </body>
    </html>
  );
}

interface MemberLayoutProps extends Pick<DocumentProps, 'page' | 'theme'> {
  readonly session: AccountSession;
}

/** A page of an account: navigation beside it, or above it on a narrow screen. */
function MemberLayout({ page, theme, session }: MemberLayoutProps) {
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="side">
        <Brand />
        <AccountMenu session={session} />
        <Navigation section={page.section} />
      </header>
      <main id="content" tabIndex={-1}>
        <AccountCallouts session={session} />
        {page.body}
      </main>
      <Foot theme={theme}>
        <span>Days are in UTC, times in your time zone.</span>
      </Foot>
    </div>
  );
}

/** The product's name, which links to the home page. */
function Brand() {
  return (
    <a class="brand" href={homePath}>
      Creator Search
    </a>
  );
}

/** The current account, the person's other accounts, and the sign-out button. */
function AccountMenu({ session: { account, accounts, email } }: { readonly session: AccountSession }) {
  const others = accounts.filter(({ id }) => id !== account.id);
  return (
    <details class="account-menu" data-closes>
      <summary>
        <span class="account-name" title={account.name}>
          {account.name}
        </span>
        <span class="account-person" title={email}>
          {email}
        </span>
      </summary>
      <div class="account-choices">
        {others.length > 0 && (
          <Form action={pagePaths.switchAccount}>
            <p class="hint" id="other-accounts">
              Your other accounts
            </p>
            <ul aria-labelledby="other-accounts">
              {others.map(({ id, name }) => (
                <li key={id}>
                  <Button kind="quiet" name="account_id" value={id}>
                    {name}
                  </Button>
                </li>
              ))}
            </ul>
          </Form>
        )}
        <p>
          <a href={pagePaths.accounts}>Your accounts and invitations</a>
        </p>
        <Form action={pagePaths.signOut}>
          <Button kind="quiet">Sign out</Button>
        </Form>
      </div>
    </details>
  );
}

const sections: Readonly<Record<Section, string>> = {
  overview: 'Overview',
  keys: 'API keys',
  buy: 'Buy credits',
  usage: 'Usage',
  statement: 'Statement',
  settings: 'Settings',
};

function Navigation({ section }: { readonly section: Section | undefined }) {
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

/** Shown on every page: disabled API keys, and open invitations. */
function AccountCallouts({ session }: { readonly session: AccountSession }) {
  const { path } = usePage();
  const { account, invitations } = session;
  return (
    <>
      {account.is_suspended && (
        <Callout kind="problem">
          This account is suspended: its API keys are refused, and credits and keys cannot be added. Your
          credits are kept until they expire. Contact us to have it resumed.
        </Callout>
      )}
      {invitations > 0 && !path.startsWith(pagePaths.accounts) && (
        <Callout kind="info">
          {invitations === 1
            ? 'You are invited to an account.'
            : `You are invited to ${invitations} accounts.`}{' '}
          <a href={pagePaths.accounts}>View</a>
        </Callout>
      )}
    </>
  );
}

interface FootProps {
  readonly theme: Theme;
  readonly children?: ComponentChildren;
}

function Foot({ theme, children }: FootProps) {
  const { referenceUrl } = usePage();
  return (
    <footer class="foot">
      {children}
      {referenceUrl !== undefined && <a href={referenceUrl}>API reference</a>}
      <ThemeSwitch theme={theme} />
    </footer>
  );
}

/**
 * Without a form token, which guests on public pages don't have: another site could change no more than colours, and its
 * origin is refused anyway.
 */
function ThemeSwitch({ theme }: { readonly theme: Theme }) {
  return (
    <form method="post" action={pagePaths.theme} class="theme-switch" aria-label="Theme">
      {themes.map((name) => (
        <button
          key={name}
          type="submit"
          name="theme"
          value={name}
          aria-pressed={name === theme ? 'true' : 'false'}
        >
          {themeNames[name]}
        </button>
      ))}
    </form>
  );
}
