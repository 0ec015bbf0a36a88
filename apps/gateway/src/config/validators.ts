import { foldEmail } from '#contracts';
import { EnvError, makeValidator } from 'envalid';
import { isIP } from 'node:net';

/** An email address to which people write. */
export const emailAddress = makeValidator<string>((input) => {
  if (foldEmail(input) === null) throw new EnvError('must be an email address');
  return input;
});

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

/** An http or https origin, without a path; a slash at the end is dropped. */
export const origin = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url.origin;
  throw new EnvError('must be an origin without a path, for example https://api.example');
});

const networks = ['loopback', 'linklocal', 'uniquelocal'];

/** How many proxies are in front of the gateway, or their addresses and networks; `false`: none. */
export const trustedProxies = makeValidator<number | string[] | false>((input) => {
  if (input === '') return false;
  if (/^\d$/.test(input)) return Number(input);
  const proxies = input.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => networks.includes(proxy) || isNetwork(proxy))) return proxies;
  throw new EnvError(
    `must be a number of proxies or their addresses or networks (10.0.0.0/8, ${networks.join(', ')}), separated by commas`,
  );
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
