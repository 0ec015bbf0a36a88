import { Flag } from '../shape/fields.js';

/** Of a message to the catalog that a test key causes: it is answered from the fictional creators, and from no others. */
export const OfTestKey = () => Flag({ optional: true });
