/** Keys of an account (spec 2.5). */
export const keysMax = 5;
export const keyNameLengthMax = 100;
/** Days of calls that are shown for each key. */
export const keyDays = 30;
