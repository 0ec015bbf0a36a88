import { type RateLimit } from '#contracts';

/** By name: the value of a limit, what it counts, and what it is for. docs/security.md has both tables of limits. */
export type LimitTable = Readonly<
  Record<string, readonly [value: number | RateLimit, what: string, purpose: string]>
>;

/** The values of a table. */
export function limitsOf<Table extends LimitTable>(
  table: Table,
): { readonly [Name in keyof Table]: Table[Name][0] } {
  return Object.fromEntries(Object.entries(table).map(([name, [value]]) => [name, value])) as {
    [Name in keyof Table]: Table[Name][0];
  };
}

export const kibibyte = 1_024;
export const mebibyte = 1_024 * kibibyte;
