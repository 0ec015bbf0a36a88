import { type Culture } from './cultures.js';
import { type Random } from './random.js';

/** A fictional person: the display name, and the a-z words that slugs, handles and domains are built from. */
export interface CreatorName {
  readonly display: string;
  readonly given: string;
  readonly surname: string;
}

const channelWords = 'Studio,Daily,Kitchen,TV,Garage,Club,Diaries,Lab,World,On Air'.split(',');
const emoji = '✨ 🎮 🌸 🔥 🍜 🎧 ⚽ 🌍 🐝 👩🏽‍🍳'.split(' ');

/** First code points of the bold, script, double-struck and sans-serif capital letters of Unicode's mathematical block. */
const mathematicalAlphabets = [0x1d400, 0x1d4d0, 0x1d5d4, 0x1d670];

/** A name in the way of the culture; now and then styled as people do: capitals, mathematical letters, emoji, a channel. */
export function makeName(random: Random, culture: Culture): CreatorName {
  const { surnameFirst, separator } = culture;
  const given = random.pick(culture.given);
  const [start, end] = [random.pick(culture.surnameStarts), random.pick(culture.surnameEnds)];
  const surname = { written: start.written + end.written, latin: start.latin + end.latin };
  const parts = [given.written, surname.written];
  const written = (surnameFirst ? parts.reverse() : parts).join(separator);
  const styles = [
    () => written,
    () => `${given.written} ${random.pick(channelWords)}`,
    () => `${written} ${random.pick(emoji)}`,
    () => written.toUpperCase(),
    () =>
      mathematical(`${capital(given.latin)} ${capital(surname.latin)}`, random.pick(mathematicalAlphabets)),
    () => `${written} ${capital(given.latin)}`,
  ];
  const display = styles[random.weighted([80, 6, 4, 4, 3, 3])]?.() ?? written;
  return { display, given: given.latin, surname: surname.latin };
}

function capital(latin: string): string {
  return latin.charAt(0).toUpperCase() + latin.slice(1);
}

/** The blocks hold A-Z, then a-z, without a gap. */
function mathematical(text: string, firstCapital: number): string {
  return text
    .replace(/[A-Z]/g, (letter) => String.fromCodePoint(firstCapital + letter.charCodeAt(0) - 0x41))
    .replace(/[a-z]/g, (letter) => String.fromCodePoint(firstCapital + 26 + letter.charCodeAt(0) - 0x61));
}
