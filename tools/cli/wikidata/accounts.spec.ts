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

describe('countedAccounts', () => {
  it('takes the newest count of an account, whatever its rank', () => {
    const older = { ...followers(900, '2022-01-31', { P2003: 'ada' }), rank: 'preferred' as const };
    const counts = [
      older,
      followers(1200, '2024-05-01', { P2003: 'ada' }),
      followers(1000, '2023-01-01', { P2003: 'ada' }),
    ];
    expect(accountsOf({ P2003: [statement('ada')], P8687: counts })).toEqual([
      'instagram ada 1200 2024-05-01',
    ]);
  });

  it.each([
    ['deprecated', { ...followers(5, '2024-05-01', { P2003: 'ada' }), rank: 'deprecated' as const }],
    ['undated', statement(5, { qualifiers: { P2003: 'ada' } })],
    ['of an unknown day', statement(5, { qualifiers: { P2003: 'ada', P585: day('2020-00-00', 8) } })],
    ['of a day that does not exist', followers(5, '2024-02-30', { P2003: 'ada' })],
    ['of the future', followers(5, '2025-06-02', { P2003: 'ada' })],
    ['of another account', followers(5, '2024-05-01', { P2003: 'ada.private' })],
    ['of another platform', followers(5, '2024-05-01', { P7085: 'ada' })],
    ['of two platforms', followers(5, '2024-05-01', { P2003: 'ada', P7085: 'ada' })],
    ['of no account', statement(5, { qualifiers: { P585: day('2024-05-01') } })],
  ])('leaves a platform out whose only count is %s', (_what, count) => {
    expect(accountsOf({ P2003: [statement('ada')], P7085: [], P8687: [count] })).toEqual([]);
  });

  it.each([
    ['2024-05-00', 10, '2024-05-01'],
    ['2024-00-00', 9, '2024-01-01'],
    ['2024-05-17', 9, '2024-01-01'],
  ])('dates a count of %s (precision %d) as %s', (text, precision, dated) => {
    const count = statement(5, { qualifiers: { P2003: 'ada', P585: day(text, precision) } });
    expect(accountsOf({ P2003: [statement('ada')], P8687: [count] })).toEqual([`instagram ada 5 ${dated}`]);
  });

  it('finds the count of an X account by its number and by its name in any case', () => {
    const account = statement('AdaX', { qualifiers: { P6552: '1234' } });
    const byName = followers(5, '2023-01-01', { P2002: 'adax' });
    const byNumber = followers(7, '2024-01-01', { P6552: '1234' });
    expect(accountsOf({ P2002: [account], P8687: [byName] })).toEqual(['x AdaX 5 2023-01-01']);
    expect(accountsOf({ P2002: [account], P8687: [byName, byNumber] })).toEqual(['x AdaX 7 2024-01-01']);
    expect(accountsOf({ P2002: [statement('AdaX')], P8687: [byNumber] })).toEqual([]);
  });

  it.each([
    ['qualifies the channel', [statement('UC1', { qualifiers: { P11245: 'ada' } }), statement('UC2')], []],
    [
      'is qualified by the channel',
      [statement('UC1'), statement('UC2')],
      [statement('ada', { qualifiers: { P2397: 'UC1' } })],
    ],
    ['is the only one of the only channel', [statement('UC1')], [statement('ada')]],
  ])('gives a YouTube channel the handle that %s', (_how, channels, handles) => {
    const item = person({
      P2397: channels,
      P11245: handles,
      P8687: [followers(9, '2024-01-01', { P2397: 'UC1' })],
    });
    expect(countedAccounts(item, today)).toEqual([
      {
        platform: 'youtube',
        handle: 'ada',
        url: 'https://www.youtube.com/channel/UC1',
        followers: 9,
        updated_at: '2024-01-01',
      },
    ]);
  });

  it('gives a YouTube channel without a known handle its id, and a handle without a channel no URL', () => {
    const channel = { P2397: [statement('UC1')], P8687: [followers(9, '2024-01-01', { P2397: 'UC1' })] };
    expect(accountsOf(channel)).toEqual(['youtube UC1 9 2024-01-01']);
    const ofOther = statement('ada', { qualifiers: { P2397: 'UC2' } });
    expect(accountsOf({ ...channel, P11245: [ofOther] })).toEqual(['youtube UC1 9 2024-01-01']);
    const handle = { P11245: [statement('ada')], P8687: [followers(8, '2024-01-01', { P11245: 'ada' })] };
    expect(countedAccounts(person(handle), today)).toEqual([
      { platform: 'youtube', handle: 'ada', followers: 8, updated_at: '2024-01-01' },
    ]);
  });

  it('takes the account with the most followers of several, but a preferred one before it', () => {
    const counts = [
      followers(5, '2024-05-01', { P2003: 'ada' }),
      followers(9, '2020-05-01', { P2003: 'ada.art' }),
    ];
    const [ada, art] = [statement('ada'), statement('ada.art')];
    expect(accountsOf({ P2003: [ada, art], P8687: counts })).toEqual(['instagram ada.art 9 2020-05-01']);
    const preferred = { ...ada, rank: 'preferred' as const };
    expect(accountsOf({ P2003: [preferred, art], P8687: counts })).toEqual(['instagram ada 5 2024-05-01']);
  });

  it('leaves out accounts that have ended, and names that are paths', () => {
    const counts = [
      followers(5, '2024-05-01', { P2003: 'ada' }),
      followers(9, '2024-05-01', { P2013: 'pages/Ada/1' }),
    ];
    const ended = statement('ada', { qualifiers: { P582: day('2024-06-01') } });
    expect(accountsOf({ P2003: [ended], P2013: [statement('pages/Ada/1')], P8687: counts })).toEqual([]);
  });
});
