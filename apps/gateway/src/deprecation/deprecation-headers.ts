/** When v1 is deprecated, when it ends, and what comes after it; nothing is announced by default. */
export interface DeprecationConfig {
  /** ISO 8601. */
  readonly V1_DEPRECATED_AT?: string | undefined;
  readonly V1_SUNSET_AT?: string | undefined;
  readonly V1_SUCCESSOR_URL?: string | undefined;
}

/**
 * The headers that announce the end of v1, by name: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the
 * successor (RFC 5829).
 */
export type DeprecationHeaders = Readonly<Record<string, string>>;

/** `null` when nothing is announced. */
export function deprecationHeaders(config: DeprecationConfig): DeprecationHeaders | null {
  const { V1_DEPRECATED_AT: deprecatedAt, V1_SUNSET_AT: sunsetAt, V1_SUCCESSOR_URL: successor } = config;
  if (deprecatedAt === undefined) return null;
  return {
    deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1_000)}`,
    ...(sunsetAt === undefined ? {} : { sunset: new Date(sunsetAt).toUTCString() }),
    ...(successor === undefined ? {} : { link: `<${new URL(successor).href}>; rel="successor-version"` }),
  };
}
