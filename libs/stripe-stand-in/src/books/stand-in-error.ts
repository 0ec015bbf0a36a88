interface ErrorFields {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
}

/** An error as the API of Stripe answers it. */
export class StandInError extends Error {
  override readonly name: string = 'StandInError';

  constructor(
    readonly status: number,
    message: string,
    private readonly fields: ErrorFields = {},
  ) {
    super(message);
  }

  get body(): object {
    return { error: { type: 'invalid_request_error', ...this.fields, message: this.message } };
  }
}

/** A request that is refused before any work: invalid parameters, or a key that may not do it. */
export class RefusedRequest extends StandInError {
  override readonly name = 'RefusedRequest';
}

/** A parameter that is missing or invalid. */
export function invalid(param: string, message: string): RefusedRequest {
  return new RefusedRequest(400, message, { param });
}
