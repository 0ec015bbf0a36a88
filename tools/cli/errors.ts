import { type ErrorDetails } from '#contracts';

/** A failure explained to the user: only its message is printed. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** The connection broke before the answer arrived: the request may have succeeded. */
export class LostConnectionError extends CliError {
  override readonly name = 'LostConnectionError';
}

/** A file that can't be read to its end. */
export class DamagedFileError extends CliError {
  override readonly name = 'DamagedFileError';
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
