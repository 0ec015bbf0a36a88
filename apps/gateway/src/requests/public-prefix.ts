/** Every path of version 1 of the public API is below it. */
export const publicPrefix = '/api/public/v1';
