import { type ValueTransformer } from 'typeorm';

/** A bigint of PostgreSQL, which the driver gives as a string, as a number. Throws when it has no exact number. */
export const safeInteger: ValueTransformer = {
  to: (value: unknown) => value,
  from(text: string | null) {
    if (text === null) return null;
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`);
    return value;
  },
};
