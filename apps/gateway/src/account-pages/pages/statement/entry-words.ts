import { type EntryType, type LotOrigin, type StatementEntry } from '@app/contracts';
import { lotNames } from '../../view/lot-names.js';

export const typeNames: Readonly<Record<EntryType, string>> = {
  purchase: 'Purchases',
  charge: 'Calls',
  reversal: 'Given back',
  expiry: 'Expired',
  adjustment: 'Corrections',
};

/** What an entry is, in a few words. */
export function wordsOf(entry: StatementEntry): string {
  switch (entry.type) {
    case 'purchase':
      return `Bought: ${packOf(entry)}`;
    case 'charge':
      return operationOf(entry);
    case 'reversal':
      return `Given back: failed ${operationOf(entry).toLowerCase()}`;
    case 'expiry':
      return `Expired: rest of ${packOf(entry)}`;
    case 'adjustment':
      return entry.reason ?? (entry.credits > 0 ? 'Goodwill credit' : 'Correction');
  }
}

function packOf({ pack }: { readonly pack: LotOrigin }): string {
  return lotNames[pack];
}

function operationOf({ operation }: StatementEntry): string {
  return operation === 'profile' ? 'Profile' : 'Search';
}
