import { cleanEnv } from 'envalid';
import { trustedProxies } from './validators.js';

function read(TRUST_PROXY: string): unknown {
  const fail = ({ errors }: { errors: object }): never => {
    throw new Error(Object.values(errors).join());
  };
  return cleanEnv(
    { TRUST_PROXY },
    { TRUST_PROXY: trustedProxies() },
    { reporter: ({ errors }) => Object.keys(errors).length > 0 && fail({ errors }) },
  ).TRUST_PROXY;
}

it.each([
  ['', false],
  ['2', 2],
  ['10.0.0.1', ['10.0.0.1']],
  ['10.0.0.0/8, ::1/128,loopback', ['10.0.0.0/8', '::1/128', 'loopback']],
])('reads %p', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

it.each(['yes', 'true', '10.0.0', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', 'proxy.example', '10.0.0.1,'])(
  'refuses %p and says what is expected',
  (text) => {
    expect(() => read(text)).toThrow('must be a number of proxies or their addresses');
  },
);
