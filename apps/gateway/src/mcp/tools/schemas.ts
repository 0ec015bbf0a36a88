import { platforms } from '@app/contracts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** A result with these fields; the optional ones are left out where there is nothing to say. */
export function resultSchema(properties: Record<string, object>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object' as const, properties, required };
}

/** What a call cost and what is left (spec 2.4). */
export const creditsProperties = { credits_used: count, credits_remaining: count, warning: text };
export const creditsOptional = ['warning'];

/** What every shape of a creator has (spec 2.1, 2.3). */
export const creatorProperties = {
  slug: text,
  name: text,
  url: text,
  country: text,
  total_reach: count,
};

export const platformProperties = {
  platform: { type: 'string', enum: [...platforms] },
  handle: text,
  url: text,
  followers: count,
};

export { count, text };

/** A tool that only reads, and only here. Calling it again gives the same, but costs its price again. */
export const readsOnly = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;
