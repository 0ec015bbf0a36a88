import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type OpenAPIObject } from 'openapi3-ts/oas31';
import { compileWithTypes } from './compile-with-types.js';

/** The schemas of the document, and the type of the client that says the same. */
const bodies: Readonly<Record<string, string>> = {
  Balance: 'BalanceBody',
  Call: 'CallRecord',
  CallKey: "CallRecord['key']",
  Calls: 'CallsBody',
  CategoryFilterValue: "FiltersBody['categories'][number]",
  Creator: 'Creator',
  CreatorProfile: 'ProfileBody',
  DatedPlatformAccount: 'ProfilePlatformEntry',
  Filters: 'FiltersBody',
  LookUpAnswer: 'LookupBody',
  LookUpResult: 'LookupEntry',
  LookUpsAnswer: 'LookupsBody',
  Lot: 'Lot',
  NamedFilterValue: "FiltersBody['countries'][number] & client.FiltersBody['languages'][number]",
  PlatformAccount: 'PlatformEntry',
  PlatformFilterValue: "FiltersBody['platforms'][number]",
  SearchAnswer: 'SearchBody',
  Usage: 'UsageBody',
  UsageRow: 'UsageRow',
};

/** Errors are classes in the client, and an account to look up is a string or two fields. */
const withoutType = /Error$|Problem$|^SoughtAccounts?$/;

/** The operations with parameters in their query, and the type of the client that has them. */
const queries: Readonly<Record<string, string>> = {
  searchCreators: 'SearchParameters',
  getUsage: 'UsageParameters',
  listCalls: 'CallsParameters',
  getCalls: 'PageParameters',
};
/** Its links are strings of their own in the client. */
const lookUp = 'lookUpAccount';

/** Types are the same when each is as the other one apart from `readonly`, and from `undefined` for what may be missing. */
const comparison = `
import type { components, operations } from './api.js';
import type * as client from '${resolve('libs/client/src/index.js')}';

type MayLack<T, Name extends keyof T> = object extends Pick<T, Name> ? true : false;
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: [MayLack<T, Name>, Plain<Exclude<T[Name], undefined>>] }
    : T;
type Fits<One, Other> = [Plain<One>] extends [Plain<Other>] ? true : false;
type Same<One, Other> = Fits<One, Other> extends true ? Fits<Other, One> : false;
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
`;

const wrong = `
// @ts-expect-error -- a field more
export const more: Same<components['schemas']['Creator'], client.CreatorProfile> = true;
// @ts-expect-error -- may be missing
export const optional: Same<components['schemas']['Creator'], Partial<client.Creator>> = true;
// @ts-expect-error -- a value less
export const value: Same<components['schemas']['Call']['reason'], Exclude<client.CallReason, 'repeated'> | null> = true;
// @ts-expect-error -- never null
export const never: Same<components['schemas']['LookUpAnswer'], { slug: string }> = true;
`;

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject;

it('the types of the client are those of the document', () => {
  const program = [
    comparison,
    ...Object.entries(bodies).map(
      ([schema, type]) =>
        `export const ${schema}: Same<components['schemas']['${schema}'], client.${type}> = true;`,
    ),
    ...Object.entries(queries).map(
      ([operation, type]) => `export const ${operation}: Same<Query<'${operation}'>, client.${type}> = true;`,
    ),
    `export const handle: Same<Required<Omit<Query<'${lookUp}'>, 'url'>>, client.PlatformAccount> = true;`,
    wrong,
  ].join('\n');
  expect(compileWithTypes(program)).toBe('');
}, 60_000);

it('every schema and every query is compared', () => {
  const schemas = Object.keys(document.components?.schemas ?? {});
  expect(schemas.filter((name) => !withoutType.test(name)).sort()).toEqual(Object.keys(bodies).sort());
  const withQuery = Object.values(document.paths ?? {})
    .flatMap((path) => [path.get, path.post])
    .filter((operation) => operation?.parameters?.some((one) => 'in' in one && one.in === 'query'))
    .map((operation) => operation?.operationId);
  expect(withQuery.sort()).toEqual([...Object.keys(queries), lookUp].sort());
});
