import { MailInbox, until } from '#testing';
import { Logger } from '@nestjs/common';
import { recordedLog } from '../people.fixture.js';
import { type Mail } from './mail.js';
import { MailService } from './mail.service.js';
import { openSmtpTransport } from './mail-server.js';
import { logUrl } from '../../config/mail-url.js';
import { ImmediateMailer } from './immediate-mailer.js';

const { log, lines } = recordedLog('info');

beforeAll(() => {
  Logger.overrideLogger(false);
});

let inbox: MailInbox;
let mail: MailService;
let mailer: ImmediateMailer;

beforeEach(async () => {
  inbox = await MailInbox.start();
  const from = 'Créator Search <no-reply@api.example>';
  const options = { url: inbox.url, from, product: 'Who Is Who', pagesUrl: null };
  mail = new MailService(options, log, await openSmtpTransport(options));
  mailer = new ImmediateMailer(mail);
});

afterEach(async () => {
  await mailer.beforeApplicationShutdown();
  mail.onApplicationShutdown();
  await inbox.close();
});

const hello = (to: string): Mail => ({ kind: 'sign_in', to, subject: 'Grüße', paragraphs: ['Hello, Zoë'] });

const send = (to: string): void => mailer.sendSoon('sign_in', () => hello(to));

describe('immediate mails', () => {
  it('arrive whole, in any language, also when the server is busy at first', async () => {
    let refusals = 0;
    inbox.refuse(() => (refusals++ < 1 ? { code: 451, text: 'Try again later' } : null));
    send('a@acme.example');
    const { subject, html, headers } = await inbox.mailTo('a@acme.example');
    expect([subject, headers['auto-submitted']]).toEqual(['Grüße', 'auto-generated']);
    expect(html).toContain('<p>Hello, Zoë</p>');
    expect(headers).not.toHaveProperty('list-unsubscribe');
    expect(inbox.attempts).toHaveLength(2);
  });

  it('are lines of the log where that is the mail server', async () => {
    const options = { url: logUrl, from: 'a@b.example', product: 'P', pagesUrl: null };
    await new MailService(options, log, await openSmtpTransport(options)).send(hello('a@acme.example'));
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      to: 'a@acme.example',
      text: expect.stringContaining('Hello, Zoë') as string,
    });
  });

  it('are not retried when the server refuses them', async () => {
    inbox.refuse(() => ({ code: 550, text: 'No such mailbox' }));
    send('nobody@acme.example');
    await until(() => inbox.attempts.length === 1);
    inbox.refuse(() => null);
    send('a@acme.example');
    await inbox.mailTo('a@acme.example');
    expect(inbox.attempts).toEqual(['nobody@acme.example', 'a@acme.example']);
  });

  it('go to one recipient, whatever the address looks like', async () => {
    for (const to of ['(b@evil.example)@acme.example', 'a:b@acme.example']) send(to);
    send('last@acme.example');
    await inbox.mailTo('last@acme.example');
    await mailer.beforeApplicationShutdown();
    expect(inbox.attempts.filter((to) => !to.endsWith('@acme.example'))).toEqual([]);
  });

  it('in progress are finished before the service stops, and none is retried then', async () => {
    inbox.refuse(() => ({ code: 451, text: 'Try again later' }));
    send('a@acme.example');
    await until(() => inbox.attempts.length === 1);
    await mailer.beforeApplicationShutdown();
    expect(inbox.attempts).toHaveLength(1);
  });

  it('for signing in leave at once while invitations fill their own queue and their connections hang', async () => {
    const release = inbox.hold((to) => to.endsWith('@invited.example'));
    const invitation = (n: number): Mail => ({ ...hello(`${n}@invited.example`), kind: 'invitation' });
    for (let n = 0; n < 1_268; n += 1) mailer.sendSoon('invitation', () => invitation(n));
    await until(() => inbox.attempts.length === 1);
    for (let n = 0; n < 20; n += 1) send(`${n}@acme.example`);
    await until(() => inbox.mails.length === 20);
    expect(inbox.attempts.filter((to) => to.endsWith('@invited.example'))).toHaveLength(1);
    release();
    await mailer.beforeApplicationShutdown();
    expect(inbox.mails).toHaveLength(220);
  });
});
