import { type Stack, type StackOptions, startStack } from '#dev';

/** A stack of its own, to which the calls of this file go. */
export async function startOperatedStack(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack(options);
  process.env.BASE_URL = stack.publicUrl;
  process.env.SITE_BASE_URL = stack.siteUrl;
  process.env.ADMIN_URL = stack.adminUrl;
  process.env.ADMIN_TOKEN = stack.adminToken;
  return stack;
}
