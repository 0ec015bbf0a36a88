/** The platforms of spec 2.3, in the order in which the spec names them. */
export const platforms = ['youtube', 'instagram', 'tiktok', 'facebook', 'x'] as const;
export type Platform = (typeof platforms)[number];

/** The URL of an account on a platform: the parts before and after its handle. */
export const accountUrls: Readonly<Record<Platform, readonly [before: string, after: string]>> = {
  youtube: ['https://www.youtube.com/@', ''],
  instagram: ['https://www.instagram.com/', '/'],
  tiktok: ['https://www.tiktok.com/@', ''],
  facebook: ['https://www.facebook.com/', ''],
  x: ['https://x.com/', ''],
};
