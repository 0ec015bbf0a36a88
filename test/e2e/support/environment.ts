function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: run \`npm run test:e2e\`, or point it at a running stack`);
  }
  return value;
}

/** The stack under test; the global set-up starts one unless it is given from outside. */
export const environment = {
  /** Origin of the public API, without a path. */
  publicUrl: required('BASE_URL').replace(/\/+$/, ''),
  /** Origin of the admin API, without a path. */
  adminUrl: required('ADMIN_URL').replace(/\/+$/, ''),
  adminToken: required('ADMIN_TOKEN'),
} as const;
