import { WatchedClient } from '@app/platform';

/** A connection that keeps its statements prepared: PostgreSQL parses and plans each of them once. */
export class PreparingClient extends WatchedClient {}

const names = new Map<string, string>();

/** The name of a statement on every connection; the same text has the same name. */
export function preparedName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = `billing_${names.size}`;
  names.set(sql, name);
  return name;
}
