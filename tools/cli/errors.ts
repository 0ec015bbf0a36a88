import { type ErrorDetails } from '@app/contracts';

/** A failure that is explained to the person at the terminal: its message is all that is printed. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** The connection broke before an answer had come: what was asked for may have been done. */
export class LostConnectionError extends CliError {
  override readonly name = 'LostConnectionError';
}

/** An error that the admin API answered with. */
export class ApiError extends CliError {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}
