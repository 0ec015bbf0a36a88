import { request } from 'node:http';
import { createTransport, type Transporter } from 'nodemailer';
import { startMailbox } from './mailbox.js';

let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let transport: Transporter;
beforeAll(async () => {
  mailbox = await startMailbox();
  transport = createTransport(mailbox.mailUrl);
});
afterAll(async () => {
  transport.close();
  await mailbox.stop();
});

const read = async (): Promise<string> => (await fetch(mailbox.url)).text();

async function send(subject: string, text: string, to = ['jana@weitblick.example']): Promise<void> {
  await transport.sendMail({ from: 'a@search.example', to, subject, text });
}

it('shows a mail with links that can be followed, and nothing of it as HTML', async () => {
  expect(await read()).toContain('No mail yet');
  const link = 'http://127.0.0.1:3000/account/sign-in/link?token=abc';
  await send('Grüße <b>', `Köln: ${link}.\n<script>alert(1)</script>`);
  const page = await read();
  expect(page).toContain('<h2>Grüße &#60;b&#62;</h2><p>to jana@weitblick.example, ');
  expect(page).toContain(`Köln: <a href="${link}">${link}</a>.`);
  expect(page).not.toContain('<script>');
});

it('shows nothing to a site whose name leads to this machine', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(mailbox.url, { headers: { host: 'evil.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject).end();
  });
  expect(status).toBe(403);
});
