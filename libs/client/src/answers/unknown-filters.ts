import { type FilterName } from '../api.js';

export interface UnknownFilters {
  readonly names: readonly FilterName[];
  readonly closestValues: Readonly<Partial<Record<FilterName, string>>>;
}

/** A name of the list and its parameters (RFC 9651). */
const item = /([a-z_]+)((?:;[a-z]+=%?"(?:[^"\\]|\\.)*")*)(?:, *|$)/g;
const closest = /;closest=(%?)"((?:[^"\\]|\\.)*)"/;

/** Reads the header `x-filters-unknown`. */
export function readUnknownFilters(header: string | null): UnknownFilters {
  const items = [...(header ?? '').matchAll(item)];
  const values = items.flatMap(([, name = '', parameters = '']) => {
    const [, display, text] = closest.exec(parameters) ?? [];
    return text === undefined ? [] : [[name, display === '%' ? decoded(text) : text.replace(/\\(.)/g, '$1')]];
  });
  return {
    names: items.map(([, name]) => name as FilterName),
    closestValues: Object.fromEntries(values) as UnknownFilters['closestValues'],
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
