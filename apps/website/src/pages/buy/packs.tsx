import { type CardPack } from '#contracts';
import { type ComponentChildren } from 'preact';
import { formatCount, formatNumber, formatPrice } from '../../view/format.js';

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
  /** Of its title on the page. */
  readonly level?: 'h2' | 'h3';
  readonly children?: ComponentChildren;
}

/** A pack with its price and what it buys. */
export function Pack({ name, credits, priceCents, level: Title = 'h2', children }: PackProps) {
  return (
    <li class="card pack">
      <Title>{name}</Title>
      <p class="pack-price">{formatPrice(priceCents)}</p>
      <p>
        <strong>{formatNumber(credits)} credits</strong>, {formatPrice(Math.round(priceCents / credits))} each
      </p>
      <p class="hint">{whatItBuys(credits)}</p>
      {children}
    </li>
  );
}

/** What this many credits buy, in round numbers. */
export function whatItBuys(credits: number): string {
  const searches = Math.floor(credits / searchCredits);
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(searches)) - 1);
  const round = Math.floor(searches / magnitude) * magnitude;
  return `About ${formatCount(round, 'search', 'searches')} with two filters, or ${formatCount(credits, 'profile')}`;
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
export function Contact({ salesEmail }: { readonly salesEmail: string | undefined }) {
  if (salesEmail === undefined) return <>Contact the operator of this service.</>;
  return <a href={`mailto:${salesEmail}`}>Contact {salesEmail}</a>;
}
