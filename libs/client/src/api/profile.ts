import { type Charge } from './charge.js';
import { type CreatorProfile } from './creators.js';

/** The answer to `GET /creators/{slug}`. */
export interface ProfileBody extends CreatorProfile, Charge {}
