import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { messageOf } from '#platform';

interface Listening {
  readonly HOST?: string;
  readonly PORT?: number;
  readonly ADMIN_HOST?: string;
  readonly ADMIN_PORT?: number;
  readonly INTERNAL_HOST?: string;
  readonly INTERNAL_PORT?: number;
  readonly LISTEN_FDS?: number;
}

type Problems = Record<string, string>;

const everyAddress = new Set(['0.0.0.0', '::']);

/** No two servers of the gateway may share an address and port. 0 is any free port. */
export function portProblems(config: Listening): Problems {
  const { LISTEN_FDS: inherited = 0 } = config;
  const servers = [
    { name: 'PORT', port: inherited < 1 ? config.PORT : 0, host: config.HOST },
    { name: 'ADMIN_PORT', port: inherited < 2 ? config.ADMIN_PORT : 0, host: config.ADMIN_HOST },
    { name: 'INTERNAL_PORT', port: config.INTERNAL_PORT, host: config.INTERNAL_HOST },
  ];
  const problems: Problems = {};
  for (const [index, { name, port, host = '' }] of servers.entries()) {
    const other = servers
      .slice(0, index)
      .find((earlier) => earlier.port === port && overlap(earlier.host ?? '', host));
    if (port && other) problems[name] = `must differ from ${other.name} (${port})`;
  }
  return problems;
}

function overlap(one: string, other: string): boolean {
  return one === other || everyAddress.has(one) || everyAddress.has(other);
}

interface Tls {
  readonly TLS_CERT_FILE?: string;
  readonly TLS_KEY_FILE?: string;
}

/** A certificate and its key are both set or both unset, are readable, and match. */
export function tlsProblems(config: Tls): Problems {
  const names = ['TLS_CERT_FILE', 'TLS_KEY_FILE'] as const;
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length === 2) return {};
  const problems: Problems = {};
  for (const name of missing) {
    problems[name] = 'is missing: set both TLS_CERT_FILE and TLS_KEY_FILE, or neither';
  }
  const [cert, key] = names.map((name) => {
    try {
      return config[name] === undefined ? undefined : readFileSync(config[name]);
    } catch (error) {
      problems[name] = `can't be read: ${messageOf(error)}`;
      return undefined;
    }
  });
  if (!cert || !key) return problems;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    problems.TLS_CERT_FILE = `and TLS_KEY_FILE are not a certificate and its key: ${messageOf(error)}`;
  }
  return problems;
}

interface OpenId {
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
  readonly OIDC_TRUST_EMAIL_DOMAINS?: readonly string[];
}

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);
const microsoftHosts =
  /^(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|login\.windows\.net|sts\.windows\.net)$/;
/** Microsoft's names for all tenants, and the id of the one of personal accounts. */
const ofAllTenants = new Set([
  '',
  'common',
  'organizations',
  'consumers',
  '9188040d-6c67-4c5b-b112-36a304b66dad',
]);

/**
 * A provider needs its client's id and secret, and https unless it runs on this machine. Its email addresses may be trusted only
 * if the operator administers it.
 */
export function openidProblems(config: OpenId): Record<string, string> {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const missing = names.filter((name) => config[name] === undefined);
  const isTrusting = config.OIDC_TRUST_EMAIL_DOMAINS !== undefined;
  if (missing.length === names.length && !isTrusting) return {};
  const problems: Record<string, string> = {};
  for (const name of missing) problems[name] = `is missing: set all of ${names.join(', ')}, or none`;
  const { OIDC_ISSUER: issuer } = config;
  if (issuer === undefined) return problems;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !loopback.has(hostname)) problems.OIDC_ISSUER = 'must be an https URL';
  if (isTrusting && isOfAllTenants(issuer)) {
    problems.OIDC_TRUST_EMAIL_DOMAINS =
      `can't be used with ${issuer}: anyone can create a tenant there and enter any address. ` +
      'Set OIDC_ISSUER to that of your own tenant, https://login.microsoftonline.com/YOUR_TENANT_ID/v2.0';
  }
  return problems;
}

function isOfAllTenants(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  const [, tenant = ''] = pathname.toLowerCase().split('/');
  return microsoftHosts.test(hostname) && ofAllTenants.has(tenant);
}
