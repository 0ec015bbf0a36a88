import { foldEmail } from '#contracts';
import { isLoopback, type Rule, urlWith } from '#platform';
import { EnvError, makeValidator, str } from 'envalid';

const domainPattern = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;

/** Domains of email addresses, separated by commas, in the form in which addresses are compared. */
export const emailDomains = makeValidator<readonly string[]>((input) =>
  input.split(',').map((part) => {
    const given = part.trim();
    const domain = domainPattern.test(given) ? foldEmail(`someone@${given}`)?.split('@')[1] : undefined;
    if (domain !== undefined) return domain;
    throw new EnvError(
      'must be domains of email addresses, separated by commas, for example corp.example,corp.example.de',
    );
  }),
);

/** The variables of a provider with which members may sign in. */
export const openidSettings = {
  OIDC_ISSUER: urlWith(
    'http:',
    'https:',
  )({
    default: undefined,
    desc: 'issuer of an OpenID Connect provider with which members may sign in, besides by mail; `http` only on this machine',
  }),
  OIDC_CLIENT_ID: str({ default: undefined, desc: 'client id of this service at OIDC_ISSUER' }),
  OIDC_CLIENT_SECRET: str({
    default: undefined,
    desc: 'client secret of this service at OIDC_ISSUER; also protects the cookie of a sign-in in progress',
  }),
  OIDC_TRUST_EMAIL_DOMAINS: emailDomains({
    default: undefined,
    desc: 'domains, separated by commas, whose addresses count as verified although OIDC_ISSUER does not say so: for a tenant of your own at Microsoft Entra; exactly these, no subdomains',
  }),
};

const microsoftHosts =
  /^(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|login\.windows\.net|sts\.windows\.net)$/;
/** Microsoft's names for all tenants, and the id of the one of personal accounts. */
const sharedTenants = new Set([
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
export const openidProblems: Rule<typeof openidSettings> = (config) => {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const missing = names.filter((name) => config[name] === undefined);
  const isTrusting = config.OIDC_TRUST_EMAIL_DOMAINS !== undefined;
  if (missing.length === names.length && !isTrusting) return {};
  const problems: Record<string, string> = {};
  for (const name of missing) problems[name] = `is missing: set all of ${names.join(', ')}, or none`;
  const { OIDC_ISSUER: issuer } = config;
  if (issuer === undefined) return problems;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname)) problems.OIDC_ISSUER = 'must be an https URL';
  if (isTrusting && isOfAllTenants(issuer)) {
    problems.OIDC_TRUST_EMAIL_DOMAINS =
      `can't be used with ${issuer}: anyone can create a tenant there and enter any address. ` +
      'Set OIDC_ISSUER to that of your own tenant, https://login.microsoftonline.com/YOUR_TENANT_ID/v2.0';
  }
  return problems;
};

function isOfAllTenants(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  const [, tenant = ''] = pathname.toLowerCase().split('/');
  return microsoftHosts.test(hostname) && sharedTenants.has(tenant);
}
