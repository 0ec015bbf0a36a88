import { countedAccounts } from './accounts.js';
import { day, followers, person, statement } from './item.fixture.js';
import { type Item } from './item.js';

const today = '2025-06-01';

/** The accounts of a person, as `platform handle followers day`. */
function accountsOf(claims: Item['claims']): string[] {
  return countedAccounts(person({ P2003: [], P8687: [], ...claims }), today).map(
    ({ platform, handle, followers: count, updated_at: at }) =>
      `${platform} ${handle} ${count} ${at.slice(0, 10)}`,
  );
}

const of = { P2003: 'ada' };
const ada = statement('ada');
const art = statement('ada.art');
const preferred = 'preferred' as const;
const onX = statement('AdaX', { qualifiers: { P6552: '1234' } });
const xByName = followers(5, '2023-01-01', { P2002: 'adax' });
const xByNumber = followers(7, '2024-01-01', { P6552: '1234' });
const several = [followers(5, '2024-05-01', of), followers(9, '2020-05-01', { P2003: 'ada.art' })];
const channel = { P2397: [statement('UC1')], P8687: [followers(9, '2024-01-01', { P2397: 'UC1' })] };

it.each<[what: string, claims: Item['claims'], ...accounts: string[]]>([
  [
    'the newest count of an account, whatever its rank',
    {
      P2003: [ada],
      P8687: [{ ...followers(900, '2022-01-31', of), rank: preferred }, followers(1200, '2024-05-01', of)],
    },
    'instagram ada 1200 2024-05-01',
  ],
  ['an X account by its name in any case', { P2002: [onX], P8687: [xByName] }, 'x AdaX 5 2023-01-01'],
  ['an X account by its number', { P2002: [onX], P8687: [xByName, xByNumber] }, 'x AdaX 7 2024-01-01'],
  ['no X account with an unknown number', { P2002: [statement('AdaX')], P8687: [xByNumber] }],
  [
    'the account with the most followers',
    { P2003: [ada, art], P8687: several },
    'instagram ada.art 9 2020-05-01',
  ],
  [
    'a preferred account before it',
    { P2003: [{ ...ada, rank: preferred }, art], P8687: several },
    'instagram ada 5 2024-05-01',
  ],
  [
    'no account that has ended',
    { P2003: [statement('ada', { qualifiers: { P582: day('2024-06-01') } })], P8687: several },
  ],
  [
    'no name that is a path',
    { P2013: [statement('pages/Ada/1')], P8687: [followers(9, '2024-05-01', { P2013: 'pages/Ada/1' })] },
  ],
  ['the id of a channel without a known handle', channel, 'youtube UC1 9 2024-01-01'],
  [
    'no handle of another channel',
    { ...channel, P11245: [statement('ada', { qualifiers: { P2397: 'UC2' } })] },
    'youtube UC1 9 2024-01-01',
  ],
  [
    'a handle without a channel',
    { P11245: [ada], P8687: [followers(8, '2024-01-01', { P11245: 'ada' })] },
    'youtube ada 8 2024-01-01',
  ],
])('takes %s', (_what, claims, ...accounts) => {
  expect(accountsOf(claims)).toEqual(accounts);
});

it.each([
  ['deprecated', { ...followers(5, '2024-05-01', of), rank: 'deprecated' as const }],
  ['undated', statement(5, { qualifiers: of })],
  ['of an unknown day', statement(5, { qualifiers: { ...of, P585: day('2020-00-00', 8) } })],
  ['of a day that does not exist', followers(5, '2024-02-30', of)],
  ['of the future', followers(5, '2025-06-02', of)],
  ['of another account', followers(5, '2024-05-01', { P2003: 'ada.private' })],
  ['of another platform', followers(5, '2024-05-01', { P7085: 'ada' })],
  ['of two platforms', followers(5, '2024-05-01', { ...of, P7085: 'ada' })],
  ['of no account', statement(5, { qualifiers: { P585: day('2024-05-01') } })],
])('leaves a platform out whose only count is %s', (_what, count) => {
  expect(accountsOf({ P2003: [ada], P7085: [], P8687: [count] })).toEqual([]);
});

it.each([
  ['2024-05-00', 10, '2024-05-01'],
  ['2024-00-00', 9, '2024-01-01'],
  ['2024-05-17', 9, '2024-01-01'],
])('dates a count of %s (precision %d) as %s', (text, precision, dated) => {
  const count = statement(5, { qualifiers: { ...of, P585: day(text, precision) } });
  expect(accountsOf({ P2003: [ada], P8687: [count] })).toEqual([`instagram ada 5 ${dated}`]);
});

it.each([
  ['qualifies the channel', [statement('UC1', { qualifiers: { P11245: 'ada' } }), statement('UC2')], []],
  [
    'is qualified by the channel',
    [statement('UC1'), statement('UC2')],
    [statement('ada', { qualifiers: { P2397: 'UC1' } })],
  ],
  ['is the only one of the only channel', [statement('UC1')], [ada]],
])('gives a YouTube channel the handle that %s', (_how, P2397, P11245) => {
  const [account] = countedAccounts(person({ ...channel, P2397, P11245 }), today);
  expect(account).toMatchObject({ handle: 'ada', url: 'https://www.youtube.com/channel/UC1' });
});
