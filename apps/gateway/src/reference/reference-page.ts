interface ReferencePage {
  /** The name of a file -> the last part of its address. */
  readonly addressOf: (name: string) => string;
  /** Whether keys can be created on the account pages of this service. */
  readonly hasAccountPages: boolean;
}

/**
 * Scripts, styles and calls of this origin only, nothing inline. `data:` is for the viewer's icons.
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** The HTML of the reference page. All addresses are relative to `/docs`. */
export function referencePage({ addressOf, hasAccountPages }: ReferencePage): string {
  const origin = hasAccountPages
    ? 'Calls need an API key: <a href="account/keys">sign up and create one</a>.'
    : 'Calls need an API key. Ask the operator of this service for one.';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API reference - Creator Search</title>
    <link rel="icon" href="favicon.ico">
    <link rel="stylesheet" href="docs/${addressOf('swagger-ui.css')}">
    <link rel="stylesheet" href="docs/${addressOf('reference.css')}">
    <script defer src="docs/${addressOf('swagger-ui-bundle.js')}"></script>
    <script defer src="docs/${addressOf('reference.js')}"></script>
  </head>
  <body>
    <header class="site">
      <a class="brand" href="./">Creator Search</a>
    </header>
    <section class="callout" aria-label="API keys">
      ${origin} Calls from this page are real and cost credits. Your key is kept only in the memory of this page: it is gone
      when you close or reload it.
    </section>
    <div id="reference"></div>
    <noscript>
      <p class="callout">Without JavaScript, read <a href="openapi.json">the OpenAPI document</a>.</p>
    </noscript>
  </body>
</html>
`;
}
