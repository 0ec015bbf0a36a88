import { type CardPack, enterpriseTermsMin, fixedPacks } from '#contracts';
import { type ComponentChildren } from 'preact';
import { LinkButton } from '../../components/controls.js';
import { formatCount, formatNumber, formatPrice, lotNames } from '../../view/format.js';
import { usePage } from '../../view/page.js';

/** Days for which credits can be used. */
export const lifetimeDays = 30;

/** Price of a search with two filters. */
const searchCredits = 3;

interface PackProps {
  readonly pack: CardPack;
  /** The way to buy it. */
  readonly children?: ComponentChildren;
}

/** A pack that is sold by card: its price and what it buys. */
export function Pack({ pack, children }: PackProps) {
  const { credits, priceCents } = fixedPacks[pack];
  return (
    <PackTerms
      name={lotNames[pack]}
      price={formatPrice(priceCents)}
      amount={`${formatNumber(credits)} credits`}
      each={`${formatPrice(Math.round(priceCents / credits))} each`}
      credits={credits}
    >
      {children}
    </PackTerms>
  );
}

/** The pack that is bought by agreement. */
export function EnterprisePack() {
  const email = useSalesEmail();
  const { credits, centsPerCredit } = enterpriseTermsMin;
  return (
    <PackTerms
      name="Enterprise"
      price={`From ${formatPrice(credits * centsPerCredit)}`}
      amount={`${formatNumber(credits)} credits or more a month`}
      each={`from ${formatPrice(centsPerCredit)} each, by invoice`}
      credits={credits}
    >
      {email === undefined && <p>To buy it, contact the operator of this service.</p>}
      {email !== undefined && <LinkButton href={`mailto:${email}`}>Contact sales</LinkButton>}
    </PackTerms>
  );
}

interface PackTermsProps {
  readonly name: string;
  readonly price: string;
  readonly amount: string;
  readonly each: string;
  readonly credits: number;
  readonly children: ComponentChildren;
}

function PackTerms({ name, price, amount, each, credits, children }: PackTermsProps) {
  const searches = formatCount(Math.floor(credits / searchCredits), 'search', 'searches');
  return (
    <li class="card">
      <h2>{name}</h2>
      <p class="answer">{price}</p>
      <p>
        <strong>{amount}</strong>, {each}
      </p>
      <p class="hint">
        {searches} with two filters, or {formatCount(credits, 'profile')}
      </p>
      {children}
    </li>
  );
}

/** How to contact the operator. */
export function Contact() {
  const email = useSalesEmail();
  if (email === undefined) return <>Contact the operator of this service.</>;
  return <a href={`mailto:${email}`}>Contact {email}</a>;
}

/** The address for questions about buying. */
function useSalesEmail(): string | undefined {
  const { SALES_EMAIL, SUPPORT_EMAIL } = usePage().site;
  return SALES_EMAIL ?? SUPPORT_EMAIL;
}
