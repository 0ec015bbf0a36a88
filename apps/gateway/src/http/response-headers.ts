/** On every answer: nothing is kept, and no browser takes JSON for anything else. */
export const responseHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
