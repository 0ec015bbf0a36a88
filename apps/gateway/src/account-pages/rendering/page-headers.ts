/**
 * Everything comes from this origin, nothing is inline, and no address of a page reaches another site. `no-referrer` would
 * say no more, but with it browsers send forms with `Origin: null`. `formTarget`: another origin to which a form of the page
 * may be redirected.
 */
export function pageHeaders(formTarget?: string): Record<string, string> {
  const targets = ["'self'", ...(formTarget === undefined ? [] : [new URL(formTarget).origin])];
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      `form-action ${targets.join(' ')}`,
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
