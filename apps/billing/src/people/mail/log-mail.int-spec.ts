import { PassThrough } from 'node:stream';
import { requestSignIn } from '@app/contracts';
import { until } from '@app/testing';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling } from '../../running-billing.fixture.js';
import { newHash } from '../sign-in/signing-in.fixture.js';

it('with log: a mail is one line of the log, with its link and code', async () => {
  const lines: string[] = [];
  const output = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
  const billing = await runBilling({ MAIL_URL: 'log:', SIGN_UP: 'open' }, pino({ level: 'info' }, output));
  try {
    const sender = { network: '203.0.113.7', user_agent: 'Firefox' };
    const asked = { sign_in_id: uuidv7(), browser_hash: newHash(), pages_url: 'http://127.0.0.1/account' };
    await billing.client.request(requestSignIn, { ...sender, ...asked, email: 'a@acme.example' }, context);
    const find = () => lines.find((line) => line.includes('"msg":"mail"'));
    await until(() => find() !== undefined);
    const { to, text } = JSON.parse(find() ?? '') as { to: string; text: string };
    expect(to).toBe('a@acme.example');
    expect(text).toMatch(/http:\/\/127\.0\.0\.1\/account\/sign-in\/link\?token=[\w-]{43}\n/);
    expect(text).toMatch(/\b\d{3} \d{3}\b/);
  } finally {
    await billing.close();
  }
});
