import { parseMailUrl } from './mail-url.js';

it.each([
  'smtp://mail.example',
  'smtp://mail.example:2525/',
  'smtp://mail.example?requireTLS=true',
  'smtps://mail.example',
  'smtp://[::1]:25',
  'smtp://a%40b:p%3Aw%2F@mail.example',
])('%s is a server', (url) => {
  expect(parseMailUrl(url)).toBe(url);
});

it.each([
  '',
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://mail.example/inbox',
  'smtp://mail.example#x',
  'smtp://user@mail.example',
  'smtp://:password@mail.example',
  'smtp://u:%zz@mail.example',
  'smtp://mail.example?logger=true',
  'smtp://mail.example?requireTLS=true&tls.rejectUnauthorized=false',
  'log://x',
])('%j is none', (url) => {
  expect(parseMailUrl(url)).toBeNull();
});
