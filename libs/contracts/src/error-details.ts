/** Parameter or field name -> its problems, one sentence each. */
export type ErrorDetails = Record<string, string[]>;
