import { Creators1763676000000 } from './0001-creators.js';
import { Following1763762400000 } from './0002-following.js';
import { AccountKeys1763848800000 } from './0003-account-keys.js';

/** Every migration of the catalog database, in order; new ones are added at the end and never edited. */
export const migrations = [Creators1763676000000, Following1763762400000, AccountKeys1763848800000];
