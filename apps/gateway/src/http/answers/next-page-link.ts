import { type FastifyRequest } from 'fastify';

/** Query parameters by name, in the order in which they are written; what is `undefined` is left out. */
type LinkParameters = Readonly<Record<string, string | number | undefined>>;

/** The `Link` header (RFC 8288) to the next page of a list: the same path with these parameters. */
export function nextPageLink(request: FastifyRequest, parameters: LinkParameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const path = request.url.split('?', 1)[0] ?? '';
  return `<${originOf(request)}${path}?${query.toString()}>; rel="next"`;
}

/** The origin as the client knows it; empty without a valid host, which makes the link relative. */
function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  return URL.canParse(origin) ? new URL(origin).origin : '';
}
