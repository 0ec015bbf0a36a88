import * as fc from 'fast-check';
import { bearerToken } from '../../requests/call.js';
import { isSameToken } from './admin-authenticator.js';

const token = 'a token of sorts'.replaceAll(' ', '-');

/** As `AdminAuthenticator` reads the header. */
function carries(header: string | undefined): boolean {
  const given = bearerToken(header);
  return given !== undefined && isSameToken(given, token);
}

describe('the header with ADMIN_TOKEN', () => {
  it.each([`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `])('is accepted: %j', (header) => {
    expect(carries(header)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token} x`,
  ])('is refused: %j', (header) => {
    expect(carries(header)).toBe(false);
  });

  it('is refused with every other token, of any length', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        fc.pre(other !== token);
        expect(carries(`Bearer ${other}`)).toBe(false);
      }),
    );
  });
});
