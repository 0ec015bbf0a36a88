import { type FilterName } from '../api.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a JSON text; `null` when it is not whole, or something else than an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a number in it is too large to be exact: JSON has no limit, JavaScript has 2^53. */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasInexactNumber);
}

/** The URL of the link with this relation in a `Link` header (RFC 8288); `null` without one. */
export function linkOf(header: string | null, relation: string): string | null {
  for (const [, url = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, quoted, token] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token ?? '').toLowerCase().split(/\s+/).includes(relation)) return url;
  }
  return null;
}

/**
 * Seconds that a `Retry-After` header asks for: a number of them or a date. `null` without a header, or when it is
 * neither.
 */
export function retryAfterSeconds(header: string | null, now = Date.now()): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

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
