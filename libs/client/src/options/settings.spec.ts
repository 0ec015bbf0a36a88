import { CreatorSearch } from '../client.js';
import { type ClientOptions } from './options.js';

const valid = { apiKey: 'csk_secretsecret', baseUrl: 'https://api.example.com' };

it.each<[string, string]>([
  ['https://example.com/creators//', 'https://example.com/creators'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
])('baseUrl %s', (baseUrl, used) => {
  expect(new CreatorSearch({ ...valid, baseUrl }).baseUrl).toBe(used);
});

it.each<[string, Partial<ClientOptions>, string]>([
  ['a blank key', { apiKey: ' \n' }, 'apiKey is missing'],
  ['a key with white space inside', { apiKey: 'csk_secret secret' }, 'apiKey must not contain white space'],
  ['no URL', { baseUrl: undefined }, 'baseUrl is missing'],
  ['a URL without a scheme', { baseUrl: 'api.example.com' }, 'baseUrl must be an http or https URL'],
  ['a password', { baseUrl: 'https://user:pw@api.example.com' }, 'baseUrl must have no user'],
  ['the path of the API', { baseUrl: 'https://api.example.com/api/public/v1/' }, 'baseUrl must end before'],
  ['a wait that no timer can hold', { retryWaitMaxMs: 2 ** 31 }, 'retryWaitMaxMs must be an integer'],
])('refuses %s, and says what to do without showing the key', (_what, change, words) => {
  const create = (): CreatorSearch => new CreatorSearch({ ...valid, ...change });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(words);
  expect(create).not.toThrow(/secret/);
});

it('a key may have white space around it, as when it was read from a file', async () => {
  let sent = '';
  const client = new CreatorSearch({
    ...valid,
    apiKey: ` ${valid.apiKey}\n`,
    fetch: (_url, { headers }) => {
      sent = headers.authorization ?? '';
      return Promise.reject(new Error('enough'));
    },
    retries: 0,
  });
  await expect(client.balance()).rejects.toThrow('enough');
  expect(sent).toBe(`Bearer ${valid.apiKey}`);
});

describe('on a device of users', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  const be = (navigator: object): void => {
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  };
  afterEach(() => {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else Reflect.deleteProperty(globalThis, 'navigator');
  });

  const firefox = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

  it.each<[string, object]>([
    ['a browser', firefox],
    ['React Native', { product: 'ReactNative' }],
  ])('%s: a key is refused, unless its danger is accepted', (_where, navigator) => {
    be(navigator);
    expect(() => new CreatorSearch(valid)).toThrow('call the service from your server');
    expect(new CreatorSearch({ ...valid, dangerouslyAllowBrowser: true }).baseUrl).toBe(valid.baseUrl);
  });

  it.each([{ userAgent: 'Node.js/24' }, { userAgent: 'Cloudflare-Workers' }, {}])(
    'is not what a server looks like: %p',
    (navigator) => {
      be(navigator);
      expect(new CreatorSearch(valid).baseUrl).toBe(valid.baseUrl);
    },
  );
});
