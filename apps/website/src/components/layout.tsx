import { type AccountSession } from '#contracts';
import { pagePaths } from '../paths/page-paths.js';
import { pageFiles } from '../paths/page-files.js';
import { doneText } from '../view/forms.js';
import { type PageView, type Section, usePage, wholeForm } from '../view/page.js';
import { Tabs } from './controls.js';
import { Callout, Done } from './display.js';
import { Action } from './form.js';
import { Brand, SiteFooter, SiteNavigation } from './site-frame.js';

interface DocumentProps {
  readonly page: PageView;
  /** Session of the member who asks. */
  readonly session: AccountSession | undefined;
}

/** The HTML document with a page. */
export function Document({ page, session }: DocumentProps) {
  const { path } = usePage();
  const done = doneText(path);
  const problem = page.refusal?.problems[wholeForm];
  return (
    <html lang="en">
      <Head {...page} />
      <body class={session ? undefined : 'site'}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <Brand />
          {session && <Navigation session={session} section={page.section} />}
          {!session && <SiteNavigation offersSignUp={page.offersSignUp} />}
        </header>
        <main id="content" tabIndex={-1}>
          {session && <AccountCallouts session={session} />}
          {done && <Done>{done}</Done>}
          {problem && (
            <p class="callout problem" role="alert" tabIndex={-1} autofocus>
              {problem}
            </p>
          )}
          {page.answer && (
            <header>
              <h1 class="hint">{page.title}</h1>
              <p class="answer">{page.answer}</p>
            </header>
          )}
          {page.body}
        </main>
        <footer class="group hint">
          {session && <span>Days are in UTC. Times are in your time zone unless they say UTC.</span>}
          <SiteFooter />
        </footer>
      </body>
    </html>
  );
}

function Head({ title, description, next }: PageView) {
  const { site } = usePage();
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {next && <meta http-equiv="refresh" content={`${next.afterSeconds};url=${next.path}`} />}
      {description === undefined && <meta name="robots" content="noindex" />}
      {description !== undefined && <meta name="description" content={description} />}
      <title>{`${title} - ${site.PRODUCT_NAME}`}</title>
      <link rel="icon" href={pageFiles.icon} type="image/svg+xml" />
      {pageFiles.styles.map((address) => (
        <link key={address} rel="stylesheet" href={address} />
      ))}
      {pageFiles.scripts.map((address) => (
        <script key={address} defer src={address}></script>
      ))}
    </head>
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

interface NavigationProps {
  readonly session: AccountSession;
  readonly section: Section | undefined;
}

/** The pages of the account, the person's other accounts, and the sign-out button. */
function Navigation({ session: { account, email }, section }: NavigationProps) {
  return (
    <>
      <Tabs label="Account" names={sections} current={section} pathOf={(name) => pagePaths[name]} />
      <div class="line">
        <a class="hint" href={pagePaths.accounts}>
          {account.name}, {email}
        </a>
        <Action action={pagePaths.signOut} verb="Sign out" />
      </div>
    </>
  );
}

/** Shown on every page: disabled API keys, and open invitations. */
function AccountCallouts({ session: { account, invitations } }: Pick<NavigationProps, 'session'>) {
  const { path } = usePage();
  return (
    <>
      {account.is_suspended && (
        <Callout kind="problem">
          This account is suspended: its API keys are refused, and credits and keys cannot be added. Your
          credits are kept until they expire. Contact us to have it resumed.
        </Callout>
      )}
      {invitations > 0 && !path.startsWith(pagePaths.accounts) && (
        <Callout kind="neutral">
          {invitations === 1
            ? 'You are invited to an account.'
            : `You are invited to ${invitations} accounts.`}{' '}
          <a href={pagePaths.accounts}>View</a>
        </Callout>
      )}
    </>
  );
}
