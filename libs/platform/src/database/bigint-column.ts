import { type ValueTransformer } from 'typeorm';

/**
 * Converts a PostgreSQL bigint, which the driver returns as a string, to a number. Throws when a number can't hold it
 * exactly.
 */
export const safeInteger: ValueTransformer = {
  to: (value: unknown) => value,
  from(text: string | null) {
    if (text === null) return null;
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
    return value;
  },
};
