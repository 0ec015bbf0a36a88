import { type LotOrigin } from '@app/contracts';

/** What the lots of an account are called. */
export const lotNames: Readonly<Record<LotOrigin, string>> = {
  trial: 'Trial',
  builder: 'Builder',
  scale: 'Scale',
  enterprise: 'Enterprise',
  adjustment: 'Goodwill',
};
