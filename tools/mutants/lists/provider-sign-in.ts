import { type Mutant } from '../mutant.js';
import { inFunction } from '../planting/fault.js';

const pages = 'apps/gateway/src/account-pages';
const provider = `${pages}/openid/openid-provider.ts`;
const cookies = `${pages}/openid/openid-cookies.ts`;
const address = `${pages}/openid/vouched-address.ts`;
const controller = `${pages}/pages/sign-in/provider.controller.ts`;
const bySignIn = [`${pages}/openid-sign-in.int-spec.ts`];
const byAttacks = [`${pages}/openid-attacks.int-spec.ts`];
const byProviders = [`${pages}/openid-providers.int-spec.ts`];
const byRules = [`${pages}/sign-in-rules.int-spec.ts`];
const byLimits = [`${pages}/openid-limits.int-spec.ts`];

export const providerSignIn: readonly Mutant[] = [
  {
    name: 'the signature of an ID token is not checked',
    file: provider,
    fault: inFunction('client').remove('openid.enableNonRepudiationChecks(client);'),
    killedBy: byAttacks,
  },
  {
    name: 'a provider that has moved is not asked again after a failure',
    file: provider,
    fault: inFunction('withProvider').remove('if (refusal && $KNOWN) this.metadata.forget();'),
    killedBy: bySignIn,
  },
  {
    name: 'what a provider says of itself is kept for ever',
    file: `${pages}/openid/provider-metadata.ts`,
    fault: inFunction('find').replace('this.known && this.known.until > performance.now()', 'this.known'),
    killedBy: bySignIn,
  },
  {
    name: 'an address counts as verified because another one is',
    file: address,
    fault: inFunction('vouchedAddress').replace(
      'ofThisAddress && isText(source.email_verified, true)',
      'isText(source.email_verified, true)',
    ),
    killedBy: byProviders,
  },
  {
    name: 'an address of a trusted domain counts though the provider says that it is not verified',
    file: address,
    fault: inFunction('vouchedAddress').replace(
      'sources.some((source) => isText(source.email_verified, false))',
      'false',
    ),
    killedBy: byProviders,
  },
  {
    name: 'the sign-ins of two tabs share a cookie',
    file: cookies,
    fault: inFunction('nameOf').replace('sha256(state)', "sha256('')"),
    killedBy: bySignIn,
  },
  {
    name: 'a sign-in that was begun counts again',
    file: cookies,
    fault: inFunction('take').remove('if ($READ !== undefined) this.cookies.clear(reply, name);'),
    killedBy: byAttacks,
  },
  {
    name: 'begun sign-ins fill a browser',
    file: cookies,
    fault: inFunction('set').replace('this.newestFirst(request).slice(underWayMax - 1)', '[]'),
    killedBy: bySignIn,
  },
  {
    name: 'the oldest sign-ins stay, and the newest go',
    file: cookies,
    fault: inFunction('newestFirst').replace('other.until - one.until', 'one.until - other.until'),
    killedBy: bySignIn,
  },
  {
    name: 'who signs in counts against their network: what was begun',
    file: controller,
    fault: inFunction('finish').remove("await this.limits.giveBack('provider_begin', request.ip);"),
    killedBy: byLimits,
  },
  {
    name: 'who signs in counts against their network: the callback',
    file: controller,
    fault: inFunction('finish').remove("await this.limits.giveBack('provider_callback', request.ip);"),
    killedBy: byLimits,
  },
  {
    name: 'who tried to switch to an account gets there with each later sign-in',
    file: `${pages}/sessions/wanted-account.ts`,
    fault: inFunction('show').remove("this.cookies.clear(reply, 'wanted-account');"),
    killedBy: byRules,
  },
  {
    name: 'who waits for a provider takes the slots of calls',
    file: 'apps/gateway/src/admission/admission-key.ts',
    fault: inFunction('admissionKey').replace(
      'request.is404 || isPrepared(request) || request.routeOptions.config.waitsOutside',
      'request.is404 || isPrepared(request)',
    ),
    killedBy: byLimits,
  },
  {
    name: 'there is no bound on how many wait for a provider',
    file: provider,
    fault: inFunction('withProvider').replace('this.waiting >= waitingMax', 'false'),
    killedBy: byLimits,
  },
];
