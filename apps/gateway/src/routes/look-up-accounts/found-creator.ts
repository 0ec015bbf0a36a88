import { type LookupResult } from '@app/contracts';

/** One answer of a look-up of several; `problem` says why what was given names no account. */
export interface FoundCreator {
  readonly slug: string | null;
  readonly problem?: string;
}

export function foundCreator({ slug, details }: LookupResult): FoundCreator {
  return details ? { slug, problem: Object.values(details).flat().join('; ') } : { slug };
}
