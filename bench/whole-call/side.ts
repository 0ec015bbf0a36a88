import { type UsageMeter } from './usage.js';

/** One of the two that are compared. */
export interface Side {
  readonly name: string;
  readonly origin: string;
  /** The keys of each account; the accounts of both sides are as many, with as many keys and credits. */
  readonly accounts: readonly (readonly string[])[];
  readonly meter: UsageMeter;
  /** Throws when the ledger does not add up. */
  audit(): Promise<void>;
  stop(): Promise<void>;
}

/** What both sides are made from. */
export interface Ground {
  readonly creators: number;
  readonly accounts: number;
}

/** Of the addresses in answers. */
export const siteUrl = 'https://creators.example';

export const generatorSeed = 1;
