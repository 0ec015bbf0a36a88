import { type Command } from 'commander';
import { type AccountDetail, type AccountView } from '@app/contracts';
import { path } from '../admin-client.js';
import { parseCount } from '../arguments.js';
import { formatInteger, formatTime } from '../output/format.js';
import { fields, table, type Column } from '../output/table.js';
import { type Session } from '../session.js';
import { lotColumns } from './lots.js';
import { nextPage } from './next-page.js';

interface AccountList {
  readonly accounts: AccountView[];
  readonly next_cursor: string | null;
}

interface SignInLink {
  readonly url: string;
  readonly email: string;
  readonly valid_for_seconds: number;
}

const columns: Column<AccountView>[] = [
  { title: 'ID', value: (account) => account.id },
  { title: 'NAME', value: (account) => account.name },
  { title: 'EMAIL', value: (account) => account.email },
  { title: 'CREDITS', align: 'right', value: (account) => formatInteger(account.credits_remaining) },
  { title: 'CREATED (UTC)', value: (account) => formatTime(account.created_at) },
];

/** `accounts create | list | show | sign-in-link`. */
export function addAccounts(program: Command, session: Session): void {
  const accounts = program.command('accounts').description('customers and their balances');

  accounts
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'name of the customer')
    .requiredOption('--email <email>', 'email address of the customer')
    .action(async ({ name, email }: { name: string; email: string }) => {
      session.print(await session.client.create<AccountView>(path('accounts'), { name, email }), showAccount);
    });

  accounts
    .command('list')
    .description('all accounts, a page at a time')
    .option('--limit <n>', 'accounts on the page (default: 50)', parseCount)
    .option('--cursor <cursor>', 'cursor from the previous page')
    .action(async (query: { limit?: string; cursor?: string }) => {
      const call = { method: 'GET', path: path('accounts'), query } as const;
      const page = await session.client.call<AccountList>(call);
      session.print(page, ({ accounts: rows, next_cursor }) => table(columns, rows) + nextPage(next_cursor));
    });

  accounts
    .command('show')
    .description('one account with the lots of its credits')
    .argument('<account>', 'account id')
    .action(async (id: string) => {
      const account = await session.client.call<AccountDetail>({ method: 'GET', path: path('accounts', id) });
      session.print(account, (shown) => `${showAccount(shown)}\n\n${table(lotColumns, shown.lots)}`);
    });

  accounts
    .command('sign-in-link')
    .description('a link with which a member signs in to the account pages, once and within an hour')
    .argument('<account>', 'account id')
    .option('--email <email>', 'address of the member (default: the first owner)')
    .action(async (id: string, body: { email?: string }) => {
      const call = { method: 'POST', path: path('accounts', id, 'sign-in-link'), body } as const;
      session.print(await session.client.call<SignInLink>(call), showLink);
    });
}

function showLink({ url, email, valid_for_seconds }: SignInLink): string {
  const minutes = formatInteger(valid_for_seconds / 60);
  return `${url}\n\nSigns in ${email}, once, for ${minutes} minutes. Anyone with this link can use the account: hand it over safely.`;
}

function showAccount(account: AccountView): string {
  return fields([
    ['id', account.id],
    ['name', account.name],
    ['email', account.email],
    ['credits', formatInteger(account.credits_remaining)],
    ['created', `${formatTime(account.created_at)} UTC`],
  ]);
}
