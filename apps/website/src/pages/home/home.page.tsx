import { cardPacks, enterpriseTermsMin, fixedPacks } from '#contracts';
import { Copyable, LinkButton } from '../../components/controls.js';
import { Card } from '../../components/display.js';
import { creatorsPrefix, pagePaths, publicPrefix } from '../../paths/page-paths.js';
import { type PageView, usePage } from '../../view/page.js';
import { Contact, Enterprise, lifetimeDays, Pack, packNames } from '../buy/packs.js';

interface HomeProps {
  /** The origin of the API. */
  readonly origin: string;
  /** The origin of the pages of creators. */
  readonly siteOrigin: string;
  readonly salesEmail: string | undefined;
  readonly entrance: Entrance;
}

/** The button that leads to the account. */
export type Entrance = 'account' | 'sign_up' | 'sign_in';

/** `/`: what this service is, one request with its answer, prices, and the way to a key. */
export function homePage(props: HomeProps): PageView {
  return {
    title: 'API for verified creators',
    isPublic: true,
    body: (
      <div class="home">
        <Opening {...props} />
        <Example {...props} />
        <Prices {...props} />
      </div>
    ),
  };
}

function Opening({ entrance }: HomeProps) {
  const { referenceUrl } = usePage();
  return (
    <section class="home-opening">
      <h1>Verified creators, by API</h1>
      <p class="lead">
        Search creators across YouTube, Instagram, TikTok, Facebook and X, and read one creator's full record:
        handles, links, follower counts, country, languages and categories. JSON over HTTPS, paid per call
        with prepaid credits. Calls that fail cost nothing.
      </p>
      <p class="buttons">
        <Entrances entrance={entrance} />
        {referenceUrl !== undefined && <LinkButton href={referenceUrl}>API reference</LinkButton>}
      </p>
      {entrance === 'sign_up' && (
        <p class="hint">
          All you need to sign up is an email address. Then create a key, add credits and make your first
          call.
        </p>
      )}
    </section>
  );
}

function Entrances({ entrance }: Pick<HomeProps, 'entrance'>) {
  const [href, label] =
    entrance === 'account'
      ? [pagePaths.overview, 'Go to your account']
      : [pagePaths.signIn, entrance === 'sign_up' ? 'Sign up' : 'Sign in'];
  return (
    <>
      <LinkButton kind="primary" href={href}>
        {label}
      </LinkButton>
      {entrance === 'sign_up' && <LinkButton href={pagePaths.signIn}>Sign in</LinkButton>}
    </>
  );
}

function Example({ origin, siteOrigin }: HomeProps) {
  const search = `${origin}${publicPrefix}/search?country=France&category=fitness&limit=1`;
  return (
    <Card title="One request, one response">
      <Copyable
        id="request"
        what="request"
        text={`curl -H 'Authorization: Bearer csk_...' \\\n  '${search}'`}
      />
      <pre class="answer-body" tabIndex={0} role="region" aria-label="response">
        <code>{JSON.stringify(exampleAnswer(siteOrigin), undefined, 2)}</code>
      </pre>
      <p class="hint">
        A search with two filters that finds creators: 1 + 2 = 3 credits. Every response says what it cost and
        how many credits remain.
      </p>
    </Card>
  );
}

/** With a fictional creator. */
function exampleAnswer(siteOrigin: string): object {
  const platform = (name: string, handle: string, url: string, followers: number) => ({
    platform: name,
    handle,
    url,
    followers,
  });
  return {
    total: 5,
    returned: 1,
    credits_used: 3,
    credits_remaining: 47,
    creators: [
      {
        slug: 'mira-solenne',
        name: 'Mira Solenne',
        url: `${siteOrigin}${creatorsPrefix}/mira-solenne`,
        country: 'France',
        total_reach: 599_000,
        platforms: [
          platform('youtube', '@mirasolenne', 'https://www.youtube.com/@mirasolenne', 412_000),
          platform('instagram', '@mirasolenne', 'https://www.instagram.com/mirasolenne/', 187_000),
        ],
      },
    ],
  };
}

function Prices({ salesEmail }: HomeProps) {
  return (
    <>
      <Card title="Prices">
        <ul class="plain-list">
          <li>A search that finds creators costs 1 credit, plus 1 for each filter used.</li>
          <li>A creator's full profile costs 1 credit.</li>
          <li>A search without matches is free, and so is every call that fails.</li>
        </ul>
        <p>There is no subscription. You buy credits in packs and use them within {lifetimeDays} days.</p>
      </Card>
      <ul class="packs">
        {cardPacks.map((pack) => (
          <Pack key={pack} name={packNames[pack]} level="h3" {...fixedPacks[pack]} />
        ))}
      </ul>
      <Enterprise {...enterpriseTermsMin}>
        {salesEmail !== undefined && <Contact salesEmail={salesEmail} />}
      </Enterprise>
    </>
  );
}
