import { type SchemaObject } from 'openapi3-ts/oas31';
import { type Credits } from '../charging/paid-answer.js';
import { count, text } from './schemas.js';

/** What every answer that may cost credits says about them (spec 2.4); `warning` is optional. */
export const creditFields = {
  credits_used: count('What this call cost.'),
  credits_remaining: count('The balance after this call.'),
  warning: text('The balance is 5 credits or fewer: a sentence with the number that is left.'),
} satisfies Record<keyof Credits, SchemaObject>;
