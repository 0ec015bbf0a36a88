/** A session ends this long after it was last seen. */
export const sessionForMs = 30 * 24 * 3_600_000;
/** That it was seen is written at most this often. */
export const seenEveryMs = 10 * 60_000;
