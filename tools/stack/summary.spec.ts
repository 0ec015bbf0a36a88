import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { summaryOf, trialLine } from './summary.js';

const stack = {
  publicUrl: 'http://127.0.0.1:3000',
  adminUrl: 'http://127.0.0.1:3001',
  internalUrls: { gateway: ['http://127.0.0.1:9000'], catalog: ['http://127.0.0.1:9001'], billing: [] },
  logDirectory: resolve('.local/logs'),
};
const launched = {
  dataDirectory: resolve('.local'),
  demoKey: 'csk_demo',
  signInUrl: 'http://127.0.0.1:3000/account/sign-in/link?token=a',
  standInUrl: 'http://127.0.0.1:4000',
  mailboxUrl: 'http://127.0.0.1:4001',
  elapsed: '3.0 s',
};

describe('what a launcher prints in the end', () => {
  it('is the first call, and every address: of the API, of its reference page, for operators', () => {
    const lines = summaryOf(stack, launched).split('\n');
    expect(lines).toContain('Ready after 3.0 s. Try it:');
    expect(lines).toContain(trialLine(stack.publicUrl, 'csk_demo'));
    expect(lines).toContain('  public API   http://127.0.0.1:3000');
    expect(lines).toContain('  reference    http://127.0.0.1:3000/docs');
    expect(lines).toContain(`  account      ${launched.signInUrl}`);
    expect(lines).toContain(
      '  payments     http://127.0.0.1:4000   (a stand-in for Stripe: test cards only, no money)',
    );
    expect(lines).toContain('  mail         http://127.0.0.1:4001   (all mail of this stack; none is sent)');
    expect(lines).toContain('  admin API    http://127.0.0.1:3001   (npm run cli -- --help)');
    expect(lines).toContain('  logs         .local/logs');
  });

  it('names no reference page when there is none, and no call without a key', () => {
    process.env.API_REFERENCE = 'off';
    try {
      const summary = summaryOf(stack, { ...launched, demoKey: null, signInUrl: null, standInUrl: null });
      expect(summary).not.toContain('/docs');
      expect(summary).not.toContain('curl');
      expect(summary).not.toContain('account ');
      expect(summary).not.toContain('payments');
    } finally {
      delete process.env.API_REFERENCE;
    }
  });

  it('has the line that the README shows', () => {
    const shown = `\`\`\`sh\n${trialLine(stack.publicUrl, 'csk_...')}\n\`\`\``;
    expect(readFileSync('README.md', 'utf8')).toContain(shown);
  });
});
