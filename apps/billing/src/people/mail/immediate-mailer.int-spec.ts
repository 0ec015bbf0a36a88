import { createLogger } from '@app/platform';
import { MailInbox, until } from '@app/testing';
import { Logger } from '@nestjs/common';
import { composeMail, type Mail } from './mail.js';
import { MailService } from './mail.service.js';
import { openSmtpTransport, parseMailUrl } from './mail-server.js';
import { ImmediateMailer } from './immediate-mailer.js';

const logger = createLogger({ service: 'billing', level: 'silent', pretty: false });

beforeAll(() => {
  Logger.overrideLogger(false);
});

let inbox: MailInbox;
let mail: MailService;
let mails: ImmediateMailer;

beforeEach(async () => {
  inbox = await MailInbox.start();
  const from = 'Créator Search <no-reply@api.example>';
  const options = { server: parseMailUrl(inbox.url), from, pagesUrl: null };
  mail = new MailService(options, logger, await openSmtpTransport(options));
  mails = new ImmediateMailer(mail);
});

afterEach(async () => {
  await mails.beforeApplicationShutdown();
  mail.onApplicationShutdown();
  await inbox.close();
});

const hello = (to: string): Mail =>
  composeMail({ kind: 'sign_in', to, subject: 'Grüße', paragraphs: ['Hello, Zoë'] });

it('arrive whole, in any language', async () => {
  mails.sendSoon('sign_in', () => Promise.resolve(hello('a@acme.example')));
  const received = await inbox.mailTo('a@acme.example');
  expect(received).toMatchObject({ subject: 'Grüße', text: expect.stringContaining('Hello, Zoë') as string });
  expect(received.html).toContain('<p>Hello, Zoë</p>');
});

it('are sent again when the server can take none for the moment', async () => {
  let refusals = 0;
  inbox.refuse(() => (refusals++ < 1 ? { code: 451, text: 'Try again later' } : null));
  mails.sendSoon('sign_in', () => Promise.resolve(hello('a@acme.example')));
  await inbox.mailTo('a@acme.example');
  expect(inbox.attempts).toHaveLength(2);
});

it('are not sent again when the server will never take them', async () => {
  inbox.refuse(() => ({ code: 550, text: 'No such mailbox' }));
  mails.sendSoon('sign_in', () => Promise.resolve(hello('nobody@acme.example')));
  await until(() => inbox.attempts.length === 1);
  inbox.refuse(() => null);
  mails.sendSoon('sign_in', () => Promise.resolve(hello('a@acme.example')));
  await inbox.mailTo('a@acme.example');
  expect(inbox.attempts).toEqual(['nobody@acme.example', 'a@acme.example']);
});

it('that need not be sent are not, and one that cannot be written keeps no other from being sent', async () => {
  mails.sendSoon('sign_in', () => Promise.resolve(null));
  mails.sendSoon('sign_in', () => Promise.reject(new Error('no words')));
  mails.sendSoon('sign_in', () => Promise.resolve(hello('a@acme.example')));
  await inbox.mailTo('a@acme.example');
  expect(inbox.mails).toHaveLength(1);
});

it('go to one recipient, whatever an address looks like', async () => {
  for (const to of ['(b@evil.example)@acme.example', 'a:b@acme.example']) {
    mails.sendSoon('sign_in', () => Promise.resolve(hello(to)));
  }
  mails.sendSoon('sign_in', () => Promise.resolve(hello('last@acme.example')));
  await inbox.mailTo('last@acme.example');
  await mails.beforeApplicationShutdown();
  expect(inbox.attempts.filter((to) => !to.endsWith('@acme.example'))).toEqual([]);
});

it('under way are finished before the service stops, and none is tried again then', async () => {
  inbox.refuse(() => ({ code: 451, text: 'Try again later' }));
  mails.sendSoon('sign_in', () => Promise.resolve(hello('a@acme.example')));
  await until(() => inbox.attempts.length === 1);
  await mails.beforeApplicationShutdown();
  expect(inbox.attempts).toHaveLength(1);
});

it('of sign-ins leave at once while invitations fill their own queue and their connections hang', async () => {
  const release = inbox.hold((to) => to.endsWith('@invited.example'));
  const invitation = (n: number): Mail => ({ ...hello(`${n}@invited.example`), kind: 'invitation' });
  for (let n = 0; n < 1_268; n += 1) mails.sendSoon('invitation', () => Promise.resolve(invitation(n)));
  await until(() => inbox.attempts.length === 1);
  for (let n = 0; n < 20; n += 1) {
    mails.sendSoon('sign_in', () => Promise.resolve(hello(`${n}@acme.example`)));
  }
  await until(() => inbox.mails.length === 20);
  expect(inbox.attempts.filter((to) => to.endsWith('@invited.example'))).toHaveLength(1);
  release();
  await mails.beforeApplicationShutdown();
  expect(inbox.mails).toHaveLength(220);
});
