/** An account that was opened by sign-up is deleted when it was never used, and none of its members was seen for so long. */
export const unusedForMs = 90 * 24 * 60 * 60 * 1_000;
