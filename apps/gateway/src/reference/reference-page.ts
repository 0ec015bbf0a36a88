/** The name of a file -> the last part of its address. */
type AddressOf = (name: string) => string;

/**
 * Scripts, styles and calls of this origin alone, nothing inline. `data:` is for the viewer's icons.
 */
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
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** The HTML of the reference page. All addresses are relative to `/docs`. */
export function referencePage(addressOf: AddressOf): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Creator Search API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/${addressOf('swagger-ui.css')}">
    <link rel="stylesheet" href="docs/${addressOf('reference.css')}">
    <script defer src="docs/${addressOf('swagger-ui-bundle.js')}"></script>
    <script defer src="docs/${addressOf('reference.js')}"></script>
  </head>
  <body>
    <header class="notice">
      Calls from this page are real, and cost credits. Your key is kept in the memory of this page and nowhere else: it is
      gone when you close or reload the page.
    </header>
    <div id="reference"></div>
    <noscript>
      <p class="notice">Without JavaScript, read <a href="openapi.json">the OpenAPI document</a>.</p>
    </noscript>
  </body>
</html>
`;
}
