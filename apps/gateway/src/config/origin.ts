import { EnvError, makeValidator } from 'envalid';

/** An http or https origin, without a path; a slash at the end is dropped. */
export const origin = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url.origin;
  throw new EnvError('must be an origin without a path, for example https://api.example');
});
