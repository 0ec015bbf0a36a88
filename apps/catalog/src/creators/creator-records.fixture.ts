import { type CreatorRecord, platforms } from '#contracts';

/** A record with a slug. */
export type NamedRecord = CreatorRecord & { readonly slug: string };

/** A valid record with an account of its own; `changes` replace its fields. */
export function recordOf(slug: string, changes: Readonly<Record<string, unknown>> = {}): NamedRecord {
  return {
    slug,
    name: `Name of ${slug}`,
    country: 'Utopia',
    languages: ['English'],
    categories: ['music'],
    platforms: [accountOf({ handle: slug.slice(-30) })],
    ...changes,
  };
}

/** An account of this handle. */
export const on = (platform: string, handle: string, changes: object = {}) =>
  accountOf({ platform, handle, ...changes });

/** Who changes something. */
export const operator = (requestId: string) => ({ operator: { id: null, name: 'Eva', requestId } });

/** A valid platform account; `changes` replace its fields. */
export function accountOf(
  changes: Readonly<Record<string, unknown>> = {},
): CreatorRecord['platforms'][number] {
  return {
    platform: platforms[0],
    handle: 'handle',
    followers: 1_000,
    updated_at: '2024-01-02T03:04:05.000Z',
    ...changes,
  };
}
