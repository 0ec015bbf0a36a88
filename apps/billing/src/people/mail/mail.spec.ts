import { composeMail } from './mail.js';

const mail = composeMail({
  kind: 'sign_in',
  to: 'ops@acme.example',
  subject: 'Hello',
  paragraphs: [
    'First, <b>"you" & me</b>.',
    { label: 'Open <it>', link: 'https://a.example/?a=1&b="2"' },
    { label: 'Code', shown: '123 456' },
  ],
});

it('says the same as text and as HTML', () => {
  expect(mail.text).toBe(
    'First, <b>"you" & me</b>.\n\nOpen <it>:\n\nhttps://a.example/?a=1&b="2"\n\nCode:\n\n123 456\n\n-- \nCreator Search\n',
  );
  expect(mail.html).toContain('<p>First, &lt;b&gt;&quot;you&quot; &amp; me&lt;/b&gt;.</p>');
  expect(mail.html).toContain('<a href="https://a.example/?a=1&amp;b=&quot;2&quot;">Open &lt;it&gt;</a>');
  expect(mail.html).toMatch(/Code: <strong [^>]*>123 456<\/strong>/);
});

it('loads nothing from elsewhere', () => {
  expect(mail.html).not.toMatch(/<img|<script|<link|url\(/);
});
