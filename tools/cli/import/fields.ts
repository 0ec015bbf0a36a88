import { type CreatorRecord, type Platform, type PlatformAccountRecord, platforms } from '#contracts';

/** How the text of a cell becomes the value of a field. */
export type CellKind = 'line' | 'text' | 'list' | 'flag' | 'count';

/** The fields of a creator that a cell can hold. */
export const creatorFields = {
  slug: 'line',
  name: 'line',
  tagline: 'text',
  country: 'line',
  languages: 'list',
  categories: 'list',
  verified: 'flag',
  website: 'line',
  published: 'flag',
} as const satisfies Readonly<Record<Exclude<keyof CreatorRecord, 'platforms'>, CellKind>>;

/** The fields of an account on a platform; a table names them `youtube.handle`. */
export const accountFields = {
  handle: 'line',
  url: 'line',
  followers: 'count',
  updated_at: 'line',
} as const satisfies Readonly<Record<Exclude<keyof PlatformAccountRecord, 'platform'>, CellKind>>;

type AccountField = keyof typeof accountFields;
export type FieldName = keyof typeof creatorFields | `${Platform}.${AccountField}`;

export function accountField(platform: Platform, field: AccountField): FieldName {
  return `${platform}.${field}`;
}

const everyAccount = platforms.flatMap((platform) =>
  keysOf(accountFields).map((field) => [accountField(platform, field), accountFields[field]] as const),
);

/** Every field that a table can give, and how its cells are read. */
export const fieldKinds: ReadonlyMap<FieldName, CellKind> = new Map<FieldName, CellKind>([
  ...keysOf(creatorFields).map((field) => [field, creatorFields[field]] as const),
  ...everyAccount,
]);

export function isField(name: string): name is FieldName {
  return fieldKinds.has(name as FieldName);
}

/** The keys of an object that has no others. */
export function keysOf<Key extends string>(object: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(object) as Key[];
}
