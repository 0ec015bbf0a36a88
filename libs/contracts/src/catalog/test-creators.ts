import { Flag } from '../shape/fields.js';

/** Marks a message of a test key: it is answered from the fictional creators only. */
export const OfTestKey = () => Flag({ optional: true });
