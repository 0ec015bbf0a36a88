import { EnvError, makeValidator, str } from 'envalid';
import { parseRedisUrl } from './redis-url.js';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** An integer within `[min, max]`, in decimal digits. */
export const integer = ({ min, max }: Range) =>
  makeValidator<number>((input) => {
    const value = /^\d{1,15}$/.test(input) ? Number(input) : Number.NaN;
    if (!(value >= min && value <= max)) throw new EnvError(`must be an integer from ${min} to ${max}`);
    return value;
  });

/** A URL with one of the given protocols (`redis:`, `postgres:` ...). */
export const urlWith = (...protocols: string[]) =>
  makeValidator<string>((input) => {
    if (!URL.canParse(input) || !protocols.includes(new URL(input).protocol)) {
      throw new EnvError(`must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return input;
  });

/** A Redis server, the sentinels of one, or nodes of a cluster. */
export const redisUrl = makeValidator<string>((input) => {
  if (parseRedisUrl(input) === null) {
    throw new EnvError(
      'must be a URL like redis://host:port, redis+sentinel://host:port,host:port/master or ' +
        'redis+cluster://host:port,host:port (rediss for TLS)',
    );
  }
  return input;
});

/** A secret of at least `lengthMin` characters. */
export const secret = (lengthMin: number) =>
  makeValidator<string>((input) => {
    if (input.length < lengthMin) throw new EnvError(`must have at least ${lengthMin} characters`);
    return input;
  });

/** The setting with the name of the service, as people read it. */
export const productName = str({
  default: 'Creator Search',
  desc: 'name of the service on its pages and in its mails',
});
