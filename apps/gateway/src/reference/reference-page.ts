/** Scripts, styles and calls of this origin only, nothing inline. `data:` is for the viewer's icons. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/**
 * The HTML of the reference page. `addressOf` makes the last part of one from the name of a
 * file. `keysUrl`: where keys are created, if they can be.
 */
export function referencePage(addressOf: (name: string) => string, keysUrl: string | undefined): string {
  const origin =
    keysUrl === undefined
      ? 'Ask the operator of this service for one.'
      : `<a href="${keysUrl}">Sign up and create one</a>.`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API reference - Creator Search</title>
    <link rel="icon" href="/docs/${addressOf('favicon-32x32.png')}">
    <link rel="stylesheet" href="/docs/${addressOf('swagger-ui.css')}">
    <link rel="stylesheet" href="/docs/${addressOf('reference.css')}">
    <script defer src="/docs/${addressOf('swagger-ui-bundle.js')}"></script>
    <script defer src="/docs/${addressOf('reference.js')}"></script>
  </head>
  <body>
    <section class="callout" aria-label="API keys">
      Calls need an API key. ${origin} Calls from this page are real and cost credits. Your key is kept only in the memory of
      this page: it is gone when you close or reload it.
    </section>
    <div id="reference"></div>
    <noscript>
      <p class="callout">Without JavaScript, read <a href="/openapi.json">the OpenAPI document</a>.</p>
    </noscript>
  </body>
</html>
`;
}
