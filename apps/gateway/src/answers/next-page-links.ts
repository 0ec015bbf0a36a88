import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type ClosestValues, type NamedFilter } from '#contracts';
import { type GatewayConfig } from '../config/gateway-config.js';

/** Query parameters by name, in the order in which they are written; what is `undefined` is left out. */
type LinkParameters = Readonly<Record<string, string | number | undefined>>;

/**
 * `Link` headers to the next page of a list. Their origin is configured or left out (a relative reference, RFC 8288): one made
 * from the request could lead a client to another host, or from https to http, with its key.
 */
@Injectable()
export class NextPageLinks {
  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'PUBLIC_URL'>) {}

  /** The link to the path of the request with these parameters. */
  to({ url }: FastifyRequest, parameters: LinkParameters): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, String(value));
    }
    // A request line may have a whole URL.
    const { pathname } = new URL(url, 'http://gateway');
    return `<${this.config.PUBLIC_URL ?? ''}${pathname}?${query.toString()}>; rel="next"`;
  }
}

/** The header `x-filters-unknown`: a list of structured fields (RFC 9651), `country;closest="United Kingdom"`. */
export function unknownFiltersHeader(unknown: readonly NamedFilter[], closest: ClosestValues): string {
  return unknown
    .map((filter) => {
      const value = closest[filter];
      return value === undefined ? filter : `${filter};closest=${fieldText(value)}`;
    })
    .join(', ');
}

/** A String, or a Display String where a text has other characters than those of ASCII. */
function fieldText(text: string): string {
  if (/^[ -~]*$/.test(text)) return `"${text.replace(/["\\]/g, '\\$&')}"`;
  const escaped = encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase());
  return `%"${escaped}"`;
}
