import { parseMailUrl } from './mail-server.js';

const plain = {
  kind: 'smtp',
  host: 'mail.example',
  port: 587,
  isSecure: false,
  isTlsRequired: false,
  login: null,
};

it.each([
  ['log:', { kind: 'log' }],
  ['smtp://mail.example', plain],
  ['smtp://mail.example:2525/', { ...plain, port: 2_525 }],
  ['smtp://mail.example?requireTLS=true', { ...plain, isTlsRequired: true }],
  ['smtps://mail.example', { ...plain, port: 465, isSecure: true }],
  ['smtp://[::1]:25', { ...plain, host: '::1', port: 25 }],
  ['smtp://a%40b:p%3Aw%2F@mail.example', { ...plain, login: { user: 'a@b', password: 'p:w/' } }],
])('%s is a server', (url, server) => {
  expect(parseMailUrl(url)).toEqual(server);
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
