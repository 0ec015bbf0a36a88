/** Values of attributes may hold `>`. */
const tag = /<(?:[^>"]|"[^"]*")+>/g;

/** A form as a browser would send it unchanged. */
export interface PageForm {
  readonly action: string;
  /** The values of its hidden fields and of what is filled in already, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** An answer to a visitor, and what can be done with it. */
export class ShownPage {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly html: string,
  ) {}

  /** Where it sends the visitor on to; throws when it does not. */
  get location(): string {
    const location = this.headers.get('location');
    if (location === null) throw new Error(`no redirect, but ${this.status}: ${this.text.slice(0, 500)}`);
    return location;
  }

  /** What a reader sees, without tags. */
  get text(): string {
    const visible = this.html.replace(/<(script|style)\b.*?<\/\1>/gs, '').replace(tag, ' ');
    return decode(visible).replace(/\s+/g, ' ').trim();
  }

  get forms(): PageForm[] {
    return [...this.html.matchAll(/<form ((?:[^>"]|"[^"]*")*)>(.*?)<\/form>/gs)].map(
      ([, attributes = '', content = '']) => ({
        action: attributeOf(attributes, 'action') ?? '',
        fields: Object.fromEntries(
          [...content.matchAll(/<input ((?:[^>"]|"[^"]*")*)>/g)].flatMap(([, input = '']) => {
            const name = attributeOf(input, 'name');
            return name === undefined ? [] : [[name, attributeOf(input, 'value') ?? '']];
          }),
        ),
      }),
    );
  }

  /** The first form that is sent to a path which ends so; throws when there is none. */
  form(actionEnd: string, having: Readonly<Record<string, string>> = {}): PageForm {
    const found = this.forms.find(
      ({ action, fields }) =>
        action.endsWith(actionEnd) && Object.entries(having).every(([name, value]) => fields[name] === value),
    );
    if (found) return found;
    throw new Error(`no form to ${actionEnd}, but ${this.forms.map(({ action }) => action).join(', ')}`);
  }
}

function attributeOf(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : decode(value);
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
