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
 * A provider is named with its client, and reached over https unless it runs on this machine. Addresses are trusted only of a
 * provider whose administrators are the operator's own.
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
      `can't be used with ${issuer}: anybody can make a tenant there, and write any address into it. ` +
      'Set OIDC_ISSUER to that of your own tenant, https://login.microsoftonline.com/YOUR_TENANT_ID/v2.0';
  }
  return problems;
}

function isOfAllTenants(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  const [, tenant = ''] = pathname.toLowerCase().split('/');
  return microsoftHosts.test(hostname) && ofAllTenants.has(tenant);
}
