import * as fc from 'fast-check';
import { carriesAdminToken } from './create-admin-app.js';

const token = 'a token of sorts'.replaceAll(' ', '-');

describe('carriesAdminToken', () => {
  it.each([`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `])('accepts %j', (header) => {
    expect(carriesAdminToken(header, token)).toBe(true);
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
  ])('refuses %j', (header) => {
    expect(carriesAdminToken(header, token)).toBe(false);
  });

  it('refuses every other token, of any length', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        fc.pre(other !== token);
        expect(carriesAdminToken(`Bearer ${other}`, token)).toBe(false);
      }),
    );
  });
});
