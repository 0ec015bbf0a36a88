import { type CardPack } from '#contracts';
import { type ComponentChildren } from 'preact';
import { formatCount, formatNumber, formatPrice } from '../../view/format.js';
import { usePage } from '../../view/page.js';

export const packNames: Readonly<Record<CardPack, string>> = {
  trial: 'Trial',
  builder: 'Builder',
  scale: 'Scale',
};

/** Days for which credits can be used. */
export const lifetimeDays = 30;

/** Price of a search with two filters. */
const searchCredits = 3;

interface PackProps {
  readonly name: string;
  readonly credits: number;
  readonly priceCents: number;
  readonly children?: ComponentChildren;
}

/** A pack with its price and what it buys. */
export function Pack({ name, credits, priceCents, children }: PackProps) {
  return (
    <PackTerms
      name={name}
      price={formatPrice(priceCents)}
      amount={`${formatNumber(credits)} credits`}
      each={`${formatPrice(Math.round(priceCents / credits))} each`}
      credits={credits}
    >
      {children}
    </PackTerms>
  );
}

interface PackTermsProps extends Pick<PackProps, 'name' | 'credits' | 'children'> {
  readonly price: string;
  readonly amount: string;
  readonly each: string;
}

/** A pack with terms that may be agreed. */
export function PackTerms({ name, price, amount, each, credits, children }: PackTermsProps) {
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

interface EnterpriseProps {
  readonly credits: number;
  readonly centsPerCredit: number;
  /** The contact. */
  readonly children: ComponentChildren;
}

export function Enterprise({ credits, centsPerCredit, children }: EnterpriseProps) {
  return (
    <p>
      Need more every month? <strong>Enterprise</strong> starts at {formatNumber(credits)} credits, from{' '}
      {formatPrice(centsPerCredit)} each, paid by invoice. {children}
    </p>
  );
}

/** How to contact the operator. */
export function Contact() {
  const email = useSalesEmail();
  if (email === undefined) return <>Contact the operator of this service.</>;
  return <a href={`mailto:${email}`}>Contact {email}</a>;
}

/** To whom people write who want to buy. */
export function useSalesEmail(): string | undefined {
  const { SALES_EMAIL, SUPPORT_EMAIL } = usePage().site;
  return SALES_EMAIL ?? SUPPORT_EMAIL;
}
