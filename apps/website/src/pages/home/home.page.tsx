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
export function homePage({ origin, siteOrigin, salesEmail, entrance }: HomeProps): PageView {
  return {
    title: 'API for verified creators',
    isPublic: true,
    body: (
      <>
        <Opening entrance={entrance} />
        <Example origin={origin} siteOrigin={siteOrigin} />
        <Card title="Prices">
          <p>
            A search that finds creators costs 1 credit, plus 1 for each filter used. A creator's full profile
            costs 1 credit. A search without matches is free, and so is every call that fails.
          </p>
          <p>There is no subscription. You buy credits in packs and use them within {lifetimeDays} days.</p>
        </Card>
        <ul class="packs">
          {cardPacks.map((pack) => (
            <Pack key={pack} name={packNames[pack]} {...fixedPacks[pack]} />
          ))}
        </ul>
        <Enterprise {...enterpriseTermsMin}>
          {salesEmail !== undefined && <Contact salesEmail={salesEmail} />}
        </Enterprise>
      </>
    ),
  };
}

function Opening({ entrance }: Pick<HomeProps, 'entrance'>) {
  const { referenceUrl } = usePage();
  return (
    <section class="card">
      <h1>Verified creators, by API</h1>
      <p class="lead">
        Search creators across YouTube, Instagram, TikTok, Facebook and X, and read one creator's full record:
        handles, links, follower counts, country, languages and categories. JSON over HTTPS, paid per call
        with prepaid credits. Calls that fail cost nothing.
      </p>
      <p class="group">
        {entrance === 'account' && (
          <LinkButton kind="primary" href={pagePaths.overview}>
            Go to your account
          </LinkButton>
        )}
        {entrance === 'sign_up' && (
          <LinkButton kind="primary" href={pagePaths.signIn}>
            Sign up
          </LinkButton>
        )}
        {(entrance === 'sign_up' || entrance === 'sign_in') && (
          <LinkButton href={pagePaths.signIn}>Sign in</LinkButton>
        )}
        {referenceUrl !== undefined && <LinkButton href={referenceUrl}>API reference</LinkButton>}
      </p>
    </section>
  );
}

/** With a fictional creator. */
function Example({ origin, siteOrigin }: Pick<HomeProps, 'origin' | 'siteOrigin'>) {
  const search = `${origin}${publicPrefix}/search?country=France&category=fitness&limit=1`;
  const command = `curl -H 'Authorization: Bearer csk_...' \\\n  '${search}'`;
  const answer = `{
  "total": 5,
  "returned": 1,
  "credits_used": 3,
  "credits_remaining": 47,
  "creators": [
    {
      "slug": "mira-solenne",
      "name": "Mira Solenne",
      "url": "${siteOrigin}${creatorsPrefix}/mira-solenne",
      "country": "France",
      "total_reach": 412000,
      "platforms": [
        {
          "platform": "youtube",
          "handle": "@mirasolenne",
          "url": "https://www.youtube.com/@mirasolenne",
          "followers": 412000
        }
      ]
    }
  ]
}`;
  return (
    <Card title="One request, one response">
      <Copyable id="request" what="request" text={command} />
      <pre tabIndex={0} role="region" aria-label="response">
        <code>{answer}</code>
      </pre>
      <p class="hint">
        A search with two filters that finds creators: 1 + 2 = 3 credits. Every response says what it cost and
        how many credits remain.
      </p>
    </Card>
  );
}
