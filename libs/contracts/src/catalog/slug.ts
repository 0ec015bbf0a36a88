/** A creator's slug: letters and digits, with single hyphens between them, at most `slugLengthMax` characters (design 5). */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const slugLengthMax = 100;
