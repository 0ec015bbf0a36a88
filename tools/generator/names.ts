import { type Culture, type NamePart } from './cultures.js';
import { type Random } from './random.js';

/** A fictional person: the display name, and the a-z words that slugs, handles and domains are built from. */
export interface CreatorName {
  readonly display: string;
  readonly given: string;
  readonly surname: string;
}

const channelWords = [
  'Studio',
  'Daily',
  'Kitchen',
  'TV',
  'Garage',
  'Club',
  'Diaries',
  'Lab',
  'World',
  'On Air',
];
const emoji = ['✨', '🎮', '🌸', '🔥', '🍜', '🎧', '⚽', '🌍', '🐝', '👩🏽‍🍳'];

/** First code points of the bold, script, double-struck and sans-serif capital letters of Unicode's mathematical block. */
const mathematicalAlphabets = [0x1d400, 0x1d4d0, 0x1d5d4, 0x1d670];

/** A name in the way of the culture; now and then styled as people do: capitals, mathematical letters, emoji, a channel. */
export function makeName(random: Random, culture: Culture): CreatorName {
  const given = random.pick(culture.given);
  const surname = join(random.pick(culture.surnameStarts), random.pick(culture.surnameEnds));
  const written = culture.surnameFirst
    ? surname.written + culture.separator + given.written
    : given.written + culture.separator + surname.written;
  const plain = { written, given, surname };
  return { display: style(random, plain), given: given.latin, surname: surname.latin };
}

function join(start: NamePart, end: NamePart): NamePart {
  return { written: start.written + end.written, latin: start.latin + end.latin };
}

interface PlainName {
  readonly written: string;
  readonly given: NamePart;
  readonly surname: NamePart;
}

function style(random: Random, { written, given, surname }: PlainName): string {
  switch (random.weighted([80, 6, 4, 4, 3, 3])) {
    case 1:
      return `${given.written} ${random.pick(channelWords)}`;
    case 2:
      return `${written} ${random.pick(emoji)}`;
    case 3:
      return written.toUpperCase();
    case 4:
      return mathematical(
        `${capital(given.latin)} ${capital(surname.latin)}`,
        random.pick(mathematicalAlphabets),
      );
    case 5:
      return `${written} ${capital(given.latin)}`;
    default:
      return written;
  }
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
