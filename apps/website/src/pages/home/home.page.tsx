import { type CatalogFacts, cardPacks } from '#contracts';
import { type ComponentChildren } from 'preact';
import { Code, LinkButton } from '../../components/controls.js';
import { Facts, Moment } from '../../components/display.js';
import { DataTable } from '../../components/table.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { formatNumber, lotNames } from '../../view/format.js';
import { type PageView, usePage } from '../../view/page.js';
import { EnterprisePack, lifetimeDays, Pack } from '../buy/packs.js';
import { Questions } from './questions.js';
import { Samples } from './samples.js';

const lead =
  "Search creators across YouTube, Instagram, TikTok, Facebook and X with one request, and read each one's full record as JSON.";

/**
 * `/`: what this service is, one request with its answer, why, what it costs, and the way to a key. Without an answer of the
 * catalog, and while it is empty, the page does not name it.
 */
export function homePage(facts: CatalogFacts | null, offersSignUp: boolean): PageView {
  return {
    title: 'API for verified creators',
    description: lead,
    offersSignUp,
    body: (
      <>
        <div class="opening">
          <Opening offersSignUp={offersSignUp} />
          <Samples />
        </div>
        {facts !== null && facts.creators > 0 && <CatalogStrip facts={facts} />}
        <Reasons />
        <Prices offersSignUp={offersSignUp} />
        <Questions />
      </>
    ),
  };
}

interface EntranceProps {
  readonly offersSignUp: boolean;
}

/** The button that leads to the account: its text and its path. */
function useEntrance({ offersSignUp }: EntranceProps): readonly [string, string] {
  if (usePage().hasSession) return ['Go to your account', pagePaths.overview];
  return offersSignUp ? ['Sign up', pagePaths.signUp] : ['Sign in', pagePaths.signIn];
}

function Opening(props: EntranceProps) {
  const { referenceUrl } = usePage();
  const [verb, path] = useEntrance(props);
  return (
    <section>
      <h1>Verified creators, by API</h1>
      <p class="lead">{lead}</p>
      <p>
        Totals are exact, not estimates. You never pay for a call that fails or a search that finds no one.
      </p>
      <p class="group">
        <LinkButton kind="primary" href={path}>
          {verb}
        </LinkButton>
        <LinkButton href={referenceUrl}>Read the docs</LinkButton>
      </p>
    </section>
  );
}

function CatalogStrip({ facts }: { readonly facts: CatalogFacts }) {
  const { creators, countries, platforms, newest_updated_at: newest } = facts;
  return (
    <section class="card strip" aria-label="The catalog today">
      <Facts
        of={{
          Creators: formatNumber(creators),
          Countries: formatNumber(countries),
          Platforms: formatNumber(platforms),
          'Newest update': newest && <Moment at={newest} />,
        }}
      />
    </section>
  );
}

const reasons = [
  {
    title: 'An error costs nothing',
    text: 'A call that fails, or finds nothing, takes no credits. Repeat it safely with an Idempotency-Key.',
    proof: 'HTTP/1.1 503 Service Unavailable\nRetry-After: 1\n\n{"error": "The request took too long..."}',
  },
  {
    title: 'Every credit is accounted for',
    text: 'Each call says what it cost. Your statement shows why, and the balance after it.',
    proof:
      'Search: 1 + country + q = 3  −3  497\nSearch: no match              0  497\nProfile: 1                   −1  496',
  },
  {
    title: 'One search, five platforms',
    text: 'One record for each person, with all of their accounts and a date for each follower count.',
    proof:
      'youtube    @mirasolenne   412,000\ninstagram  mirasolenne    388,000\ntiktok     @mira.solenne  120,500',
  },
];

function Reasons() {
  return (
    <section class="columns" aria-label="Why">
      {reasons.map(({ title, text, proof }) => (
        <div key={title} class="reason">
          <h2>{title}</h2>
          <p>{text}</p>
          <Code label={title} text={proof} />
        </div>
      ))}
    </section>
  );
}

const callPrices: readonly (readonly [ComponentChildren, string])[] = [
  ['A search that finds creators', '1, plus 1 per filter'],
  ["A creator's full profile", '1'],
  ['No match, an unchanged search or profile, an error, look-ups, balance and usage', '0'],
];

function Prices(props: EntranceProps) {
  const [, entry] = useEntrance(props);
  const buy = usePage().hasSession ? pagePaths.buy : withQuery(entry, { return_to: pagePaths.buy });
  return (
    <section class="chapter" id="pricing">
      <h2>Prices</h2>
      <p>No subscription. Pay once; credits last {lifetimeDays} days; the oldest are used first.</p>
      <ul class="packs">
        {cardPacks.map((pack) => (
          <Pack key={pack} pack={pack}>
            <LinkButton href={buy}>Buy {lotNames[pack]}</LinkButton>
          </Pack>
        ))}
        <EnterprisePack />
      </ul>
      <h3>How a call is priced</h3>
      <DataTable
        caption="Prices of calls"
        columns={[
          { title: 'Call', cell: ([call]) => call },
          { title: 'Credits', cell: ([, credits]) => credits },
        ]}
        rows={callPrices}
      />
    </section>
  );
}
