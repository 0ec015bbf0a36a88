/** The URL of the link with this relation in a `Link` header (RFC 8288); `null` without one. */
export function linkOf(header: string | null, relation: string): string | null {
  for (const [, url = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, quoted, token] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token ?? '').toLowerCase().split(/\s+/).includes(relation)) return url;
  }
  return null;
}
