import { cardPacks, enterpriseTermsMin, fixedPacks } from '@app/contracts';
import { publicPrefix } from '../../../http/server/public-prefix.js';
import { LinkButton } from '../../components/controls/button.js';
import { Copyable } from '../../components/controls/copyable.js';
import { Card } from '../../components/display/card.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatNumber, formatPrice } from '../../view/format.js';
import { usePage } from '../../view/page-context.js';
import { type PageView } from '../../view/page.js';
import { lifetimeDays, packNames, whatItBuys } from '../buy/pack-words.js';
import { exampleAnswer, exampleQuery } from './example.js';

interface HomeProps {
  /** The origin of the API. */
  readonly origin: string;
  readonly salesEmail: string | undefined;
  readonly entrance: Entrance;
}

/** What is offered to get into an account. `none`: there are no account pages. */
export type Entrance = 'account' | 'sign_up' | 'sign_in' | 'none';

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
  const { hasReference } = usePage();
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
        {hasReference && <LinkButton href="/docs">API reference</LinkButton>}
      </p>
      {entrance === 'sign_up' && (
        <p class="hint">
          Signing up takes an email address. Then create a key, add credits, and make your first call.
        </p>
      )}
    </section>
  );
}

function Entrances({ entrance }: Pick<HomeProps, 'entrance'>) {
  switch (entrance) {
    case 'account':
      return (
        <LinkButton kind="primary" href={pagePaths.overview}>
          Go to your account
        </LinkButton>
      );
    case 'sign_up':
      return (
        <>
          <LinkButton kind="primary" href={pagePaths.signIn}>
            Sign up
          </LinkButton>
          <LinkButton href={pagePaths.signIn}>Sign in</LinkButton>
        </>
      );
    case 'sign_in':
      return (
        <LinkButton kind="primary" href={pagePaths.signIn}>
          Sign in
        </LinkButton>
      );
    case 'none':
      return null;
  }
}

function Example({ origin }: HomeProps) {
  const request = `curl -H 'Authorization: Bearer csk_...' \\\n  '${origin}${publicPrefix}/search?${exampleQuery}'`;
  return (
    <Card title="One request, one answer">
      <Copyable id="request" what="request" text={request} />
      <pre class="answer-body" tabIndex={0} role="region" aria-label="answer">
        <code>{JSON.stringify(exampleAnswer(origin), undefined, 2)}</code>
      </pre>
      <p class="hint">
        Two filters that find something: 1 + 2 = 3 credits. Every answer says what it cost and what is left.
      </p>
    </Card>
  );
}

function Prices({ salesEmail }: HomeProps) {
  const { credits, centsPerCredit } = enterpriseTermsMin;
  return (
    <>
      <Card title="Prices">
        <ul class="plain-list">
          <li>A search that finds creators costs 1 credit, plus 1 for each filter used.</li>
          <li>A creator's full profile costs 1 credit.</li>
          <li>A search without a match is free, and so is every call that fails.</li>
        </ul>
        <p>There is no subscription. Credits are bought in packs and can be used for {lifetimeDays} days.</p>
      </Card>
      <ul class="packs">
        {cardPacks.map((pack) => (
          <Pack key={pack} name={packNames[pack]} {...fixedPacks[pack]} />
        ))}
      </ul>
      <p>
        More every month? <strong>Enterprise</strong> is {formatNumber(credits)} credits or more, from{' '}
        {formatPrice(centsPerCredit)} each.{' '}
        {salesEmail !== undefined && <a href={`mailto:${salesEmail}`}>Write to {salesEmail}</a>}
      </p>
    </>
  );
}

interface PackProps {
  readonly name: string;
  readonly credits: number;
  readonly priceCents: number;
}

function Pack({ name, credits, priceCents }: PackProps) {
  return (
    <li class="card pack">
      <h3>{name}</h3>
      <p class="pack-price">{formatPrice(priceCents)}</p>
      <p>
        <strong>{formatNumber(credits)} credits</strong>, {formatPrice(Math.round(priceCents / credits))} each
      </p>
      <p class="hint">{whatItBuys(credits)}</p>
    </li>
  );
}
