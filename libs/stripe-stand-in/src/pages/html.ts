/** HTML that is complete; other text is escaped where it is put in. */
export class Html {
  constructor(readonly text: string) {}
}

/** A template whose values are escaped, unless they are HTML themselves; arrays are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index] ?? '')).join(''));
}

type Value = Html | string | number | readonly Html[];

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('\n');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 26rem; margin: 2rem auto; padding: 0 1rem; }
  input, button { width: 100%; box-sizing: border-box; font: inherit; padding: 0.5rem; margin: 0.25rem 0 1rem; }
`;

/** A whole page. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <link rel="icon" href="data:," />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
}

/** `$149.00` */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
