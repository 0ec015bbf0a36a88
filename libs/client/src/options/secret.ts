const replacement = '[API key]';
const causesMax = 5;

type ErrorLike = Partial<Record<'name' | 'message' | 'stack' | 'code' | 'cause', unknown>>;

/** The API key. It leaves this object in the `Authorization` header only, and is cut out of what is shown to people. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  get authorization(): string {
    return `Bearer ${this.#value}`;
  }

  redact(text: string): string {
    return text.replaceAll(this.#value, replacement);
  }

  /**
   * A copy of what `fetch` has thrown, with only its text: some implementations hang the request, with its headers, on
   * their errors.
   */
  redactError(thrown: unknown, depth = 1): Error {
    if (!isErrorLike(thrown)) return new Error(this.redact(String(thrown)));
    const text = (value: unknown): string => this.redact(String(value));
    const { cause } = thrown;
    const isShown = cause !== undefined && cause !== null && depth < causesMax;
    const copy = new Error(
      text(thrown.message),
      isShown ? { cause: this.redactError(cause, depth + 1) } : {},
    );
    copy.name = text(thrown.name ?? 'Error');
    if (thrown.stack !== undefined) copy.stack = text(thrown.stack);
    return thrown.code === undefined ? copy : Object.assign(copy, { code: text(thrown.code) });
  }
}

/** `instanceof Error` is not true of an error that was made elsewhere, as in tests of jest. */
function isErrorLike(thrown: unknown): thrown is ErrorLike {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}
