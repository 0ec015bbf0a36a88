import { Flag } from '../shape/fields.js';

/** A message for an API key: one for a test key is answered from the fictional creators only. */
export class RequestOfKey {
  @Flag({ optional: true })
  readonly test?: boolean;
}
