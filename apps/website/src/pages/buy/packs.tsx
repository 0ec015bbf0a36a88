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
  readonly children?: ComponentChildren;
}

/** A pack with its price and what it buys. */
export function Pack({ name, credits, priceCents, children }: PackProps) {
  const searches = formatCount(Math.floor(credits / searchCredits), 'search', 'searches');
  return (
    <li class="card">
      <h2>{name}</h2>
      <p class="answer">{formatPrice(priceCents)}</p>
      <p>
        <strong>{formatNumber(credits)} credits</strong>, {formatPrice(Math.round(priceCents / credits))} each
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
export function Contact({ salesEmail }: { readonly salesEmail: string | undefined }) {
  if (salesEmail === undefined) return <>Contact the operator of this service.</>;
  return <a href={`mailto:${salesEmail}`}>Contact {salesEmail}</a>;
}
