import { type CardPack } from '@app/contracts';
import { formatCount } from '../../view/format.js';

export const packNames: Readonly<Record<CardPack, string>> = {
  trial: 'Trial',
  builder: 'Builder',
  scale: 'Scale',
};

/** Days for which credits can be used (spec 2.4). */
export const lifetimeDays = 30;

/** Price of a search with two filters (spec 4.1). */
const searchCredits = 3;

/** What so many credits are good for, in round numbers. */
export function whatItBuys(credits: number): string {
  const searches = Math.floor(credits / searchCredits);
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(searches)) - 1);
  const round = Math.floor(searches / magnitude) * magnitude;
  return `About ${formatCount(round, 'search', 'searches')} with two filters, or ${formatCount(credits, 'profile')}`;
}
