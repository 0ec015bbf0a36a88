const bearer = /^bearer +([^\s]+) *$/i;

/** The token of an `Authorization: Bearer` header, the scheme in any case (spec 5); `undefined` without one. */
export function bearerToken(header: string | undefined): string | undefined {
  return bearer.exec(header ?? '')?.[1];
}
