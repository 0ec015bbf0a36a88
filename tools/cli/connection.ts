import { readFileSync } from 'node:fs';
import { CliError, messageOf } from './errors.js';

/** The URL of the admin API and its token. */
export interface Connection {
  readonly url: string;
  readonly token: string;
}

export interface ConnectionSources {
  /** `--admin-url` and `--admin-token`. */
  readonly options: { readonly adminUrl?: string; readonly adminToken?: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `stack.json` of the local stack, if there is one; `null` where there can be none. */
  readonly stackFile: string | null;
}

const nameService = 'Name a service with --admin-url and --admin-token, or ADMIN_URL and ADMIN_TOKEN';

/** Options first, then the environment, then the local stack; URL and token are looked up one by one. */
export function findConnection({ options, environment, stackFile }: ConnectionSources): Connection {
  const given = {
    url: options.adminUrl ?? environment.ADMIN_URL,
    token: options.adminToken ?? environment.ADMIN_TOKEN ?? readToken(environment.ADMIN_TOKEN_FILE),
  };
  // The token of the local stack is never sent to another service.
  const stack = given.url === undefined && stackFile !== null ? readStack(stackFile) : {};
  const url = given.url ?? stack.admin_url;
  const token = given.token ?? stack.admin_token;
  if (url === undefined) {
    const orLocal = stackFile === null ? '' : ', or start the local stack with `npm start`';
    throw new CliError(`No service to connect to. ${nameService}${orLocal}.`);
  }
  if (token === undefined) {
    throw new CliError(`No admin token for ${url}: give --admin-token or set ADMIN_TOKEN.`);
  }
  if (!URL.canParse(url)) throw new CliError(`The admin URL is not a URL: ${url}`);
  return { url: url.replace(/\/+$/, ''), token };
}

function readToken(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(`ADMIN_TOKEN_FILE can't be read: ${messageOf(error)}`);
  }
}

/** The message when nothing answers at `url`. */
export function noAnswerError(url: string): CliError {
  return new CliError(`Nothing answers at ${url}. Is the service running, and is this its admin API?`);
}

function readStack(path: string): { admin_url?: string; admin_token?: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  try {
    const stack: unknown = JSON.parse(text);
    return typeof stack === 'object' && stack !== null ? stack : {};
  } catch {
    throw new CliError(`${path} is not valid JSON; start the local stack again.`);
  }
}
