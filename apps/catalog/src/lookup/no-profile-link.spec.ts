import { readProfileLink } from './profile-link.js';

const noProfiles: Readonly<Record<string, readonly string[]>> = {
  'a post or a video on YouTube': [
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=1',
  ],
  'a post or a video on Instagram': [
    'https://www.instagram.com/p/CxYz123/',
    'https://www.instagram.com/stories/mira/3211/',
    'https://www.instagram.com/mira/reel/CxYz123/',
  ],
  'a post or a video on TikTok': [
    'https://www.tiktok.com/@mira/video/7212345678901234567',
    'https://m.tiktok.com/v/7212345678901234567.html',
  ],
  'a post or a video on Facebook': [
    'https://www.facebook.com/mira/posts/pfbid02',
    'https://www.facebook.com/watch/?v=123456789',
    'https://www.facebook.com/story.php?story_fbid=1&id=100012345678901',
    'https://fb.watch/abc/',
  ],
  'a post or a video on X': ['https://x.com/mira/status/1234567890', 'https://x.com/i/status/1234567890'],
  'a page of YouTube that is not a profile': [
    'youtube.com/',
    'https://www.youtube.com/@',
    'https://www.youtube.com/results?search_query=mira',
    'https://youtu.be/',
  ],
  'a page of Instagram that is not a profile': [
    'https://www.instagram.com/explore/tags/mira/',
    'https://www.instagram.com/_u/',
  ],
  'a page of TikTok that is not a profile': ['https://www.tiktok.com/foryou', 'tiktok.com/tag/mira'],
  'a page of Facebook that is not a profile': [
    'https://www.facebook.com/profile.php',
    'https://www.facebook.com/profile.php?id=mira',
    'fb.me',
  ],
  'a page of X that is not a profile': ['https://x.com/search?q=mira', 'https://twitter.com/#!/'],
  'a short link of Instagram': ['https://www.instagram.com/share/BAbc'],
  'a short link of TikTok': ['https://vm.tiktok.com/ZMabc/', 'tiktok.com/t/ZTabc'],
  'a short link of Facebook': ['https://www.facebook.com/share/1Abc/', 'https://fb.me/e/abc'],
  'a short link of X': ['https://t.co/abc'],
  'youtube.com.evil.example is another site': ['https://youtube.com.evil.example/@mira'],
  'evil.example is another site': [
    'https://evil.example/https://youtube.com/@mira',
    'evil.example?youtube.com/@mira',
  ],
  'xn--outube-vrf.com is another site': ['https://уoutube.com/@mira'],
  'xn--nstagram-skb.com is another site': ['https://ınstagram.com/mira'],
  '10.0.0.1 is another site': ['http://10.0.0.1/@mira', 'http://0xa000001/@mira'],
  'must not have a user name, a password or a port': [
    'https://user:pass@youtube.com/@mira',
    'https://youtube.com@evil.example/@mira',
    'https://youtube.com:8443/@mira',
  ],
  'must be a link, for example': [
    'mira',
    'javascript:alert(1)',
    'ftp://youtube.com/@mira',
    'https://youtube .com/@mira',
    'http://[::1]/@mira',
    'https://youtube.com%2f@mira',
    'fb://profile/100012345678901',
  ],
  'must be percent-encoded UTF-8': ['https://youtube.com/@mira%', 'https://x.com/%c3%28'],
  'must not be empty': ['', ' ', '\u200b\n', '<>', '.'],
};

describe.each(Object.entries(noProfiles))('%s', (sentence, forms) => {
  it.each(forms)('is the problem of %j', (url) => {
    const said = readProfileLink(url);
    expect(said).toEqual(expect.stringContaining(sentence));
    expect(said).toMatch(/^url /);
  });
});
