import { type FastifyHelmetOptions } from '@fastify/helmet';
import { type FastifyReply, type onRequestHookHandler } from 'fastify';

/** `formTarget`: another origin to which a form of the page may be redirected. */
function policy(formTarget?: string): FastifyHelmetOptions['contentSecurityPolicy'] {
  const ours = ["'self'"];
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ours,
      styleSrc: ours,
      imgSrc: ours,
      baseUri: ["'none'"],
      formAction: formTarget === undefined ? ours : [...ours, new URL(formTarget).origin],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
    },
  };
}

/**
 * Everything comes from this origin, nothing is inline, and no address of a page reaches another site. `no-referrer` would
 * say no more, but with it browsers send forms with `Origin: null`.
 */
export function securityHeaders(isSecure: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: policy(),
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: isSecure && { maxAge: 31_536_000, includeSubDomains: false },
  };
}

/** For one page whose form leads to another origin. */
export function allowForms(reply: FastifyReply, formTarget: string): void {
  void reply.helmet({ contentSecurityPolicy: policy(formTarget) });
}

/** `onRequest`: what every answer has besides: no cache keeps it, and it asks for nothing of the device. */
export const setPageHeaders: onRequestHookHandler = (request, reply, done) => {
  void reply.headers({
    'x-request-id': request.id,
    'cache-control': 'no-store',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  });
  done();
};
