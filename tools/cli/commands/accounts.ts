import { type AccountDetail, type AccountView } from '#contracts';
import { path } from '../admin-client.js';
import { formatInteger, formatTime } from '../output/format.js';
import { fields, nextPage, table, type Column } from '../output/table.js';
import { type CommandGroup, option, type PageOptions, pageOptions, required } from './command.js';
import { lotColumns } from './credits.js';

interface AccountList {
  readonly accounts: AccountView[];
  readonly next_cursor: string | null;
}

interface SignInLink {
  readonly url: string;
  readonly email: string;
  readonly valid_for_seconds: number;
}

const accountColumns: Column<AccountView>[] = [
  { title: 'ID', value: (account) => account.id },
  { title: 'NAME', value: (account) => account.name },
  { title: 'EMAIL', value: (account) => account.email },
  { title: 'CREDITS', align: 'right', value: (account) => formatInteger(account.credits_remaining) },
  { title: 'CREATED (UTC)', value: (account) => formatTime(account.created_at) },
];

export const accountCommands: CommandGroup = {
  group: 'accounts',
  help: 'customers and their balances',
  commands: [
    {
      usage: 'create',
      help: 'create an account',
      options: [
        required('--name <name>', 'name of the customer'),
        required('--email <email>', 'email address of the customer'),
      ],
      run: (session) => async (account: { name: string; email: string }) => {
        const { name, email } = account;
        session.print(await session.client.create<AccountView>('/accounts', { name, email }), showAccount);
      },
    },
    {
      usage: 'list',
      help: 'list all accounts, a page at a time',
      options: pageOptions('accounts'),
      run:
        (session) =>
        ({ limit, cursor }: PageOptions) =>
          session.get<AccountList>(
            '/accounts',
            ({ accounts, next_cursor }) => table(accountColumns, accounts) + nextPage(next_cursor),
            { limit, cursor },
          ),
    },
    {
      usage: 'show <account>',
      help: 'show one account and the lots of its credits',
      run: (session) => (account: string) =>
        session.get<AccountDetail>(
          path`/accounts/${account}`,
          (shown) => `${showAccount(shown)}\n\n${table(lotColumns, shown.lots)}`,
        ),
    },
    {
      usage: 'suspend <account>',
      help: 'refuse the keys of an account within a second, without charging any call',
      options: [required('--reason <text>', 'why; only operators see it')],
      run:
        (session) =>
        (account: string, { reason }: { reason: string }) =>
          session.send<AccountView>('POST', path`/accounts/${account}/suspend`, { reason }, showAccount),
    },
    {
      usage: 'resume <account>',
      help: 'let the keys of a suspended account work again',
      run: (session) => (account: string) =>
        session.send<AccountView>('POST', path`/accounts/${account}/resume`, undefined, showAccount),
    },
    {
      usage: 'update <account>',
      help: 'change the name or the address of an account; its members stay as they are',
      options: [
        option('--name <name>', 'name of the customer'),
        option('--email <email>', 'address of the customer, for operators'),
      ],
      run:
        (session) =>
        (account: string, { name, email }: { name?: string; email?: string }) =>
          session.send<AccountView>('PATCH', path`/accounts/${account}`, { name, email }, showAccount),
    },
    {
      usage: 'sign-in-link <account>',
      help: 'create a link that signs a member in to the account pages once, within an hour',
      options: [option('--email <email>', 'address of the member (default: the first owner)')],
      run:
        (session) =>
        (account: string, { email }: { email?: string }) =>
          session.send<SignInLink>('POST', path`/accounts/${account}/sign-in-link`, { email }, showLink),
    },
  ],
};

export const signInCommands: CommandGroup = {
  group: 'sign-in',
  help: 'how people sign in to accounts',
  commands: [
    {
      usage: 'unlink <email>',
      help: 'remove the OpenID identity bound to a person and sign them out; their next one is bound instead',
      run: (session) => (email: string) =>
        session.send<{ forgotten: number }>(
          'POST',
          '/people/unlink',
          { email },
          ({ forgotten }) => `${email}: ${formatInteger(forgotten)} removed, signed out everywhere.`,
        ),
    },
  ],
};

function showLink({ url, email, valid_for_seconds }: SignInLink): string {
  const minutes = formatInteger(valid_for_seconds / 60);
  return `${url}\n\nSigns in ${email} once, within ${minutes} minutes. Anyone with this link can use the account.`;
}

function showAccount(account: AccountView): string {
  return fields([
    ['id', account.id],
    ['name', account.name],
    ['email', account.email],
    ['credits', formatInteger(account.credits_remaining)],
    ['created', `${formatTime(account.created_at)} UTC`],
    ...suspension(account),
  ]);
}

function suspension({ suspended_at: at, suspension_reason: reason }: AccountView): [string, string][] {
  return at === undefined ? [] : [['suspended', `${formatTime(at)} UTC: ${reason ?? ''}`]];
}
