import { platforms, rule, searchFilters } from '@app/contracts';
import { searchWords } from '@app/platform';
import { IsIn, IsOptional } from 'class-validator';
import { IsWholeNumber } from '../../validation/whole-number.js';

export const followersMax = Number.MAX_SAFE_INTEGER;
export const textLengthMax = 100;
export const limitMin = 1;
export const limitMax = 100;
const controlCharacter = /\p{Cc}/u;

/** The query parameters of a search, as trimmed strings, with their rules (spec 4.1, design 5). */
export class SearchParameters {
  @IsOptional()
  @IsText()
  @HasSearchableCharacter()
  q?: string;

  @IsOptional()
  @IsText()
  country?: string;

  @IsOptional()
  @IsText()
  category?: string;

  @IsOptional()
  @IsText()
  language?: string;

  @IsOptional()
  @IsIn(platforms, { message: `platform must be one of ${platforms.join(', ')}` })
  platform?: string;

  @IsOptional()
  @IsWholeNumber(0, followersMax)
  min_followers?: string;

  @IsOptional()
  @IsWholeNumber(0, followersMax)
  max_followers?: string;

  @IsOptional()
  @IsWholeNumber(limitMin, limitMax)
  limit?: string;

  /** From the `Link` header of the previous page; decoded together with the filters. */
  cursor?: string;
}

/** The names, in the order of the specification. */
export const searchParameterNames = [
  ...searchFilters,
  'limit',
  'cursor',
] as const satisfies readonly (keyof SearchParameters)[];

/** At most 100 Unicode characters, none of them a control character. */
function IsText(): PropertyDecorator {
  const sentence = `must have at most ${textLengthMax} characters, none of them a control character`;
  return textRule('isText', sentence, (text) => text.length <= 2 * textLengthMax && isText(text));
}

function isText(text: string): boolean {
  return [...text].length <= textLengthMax && !controlCharacter.test(text);
}

function HasSearchableCharacter(): PropertyDecorator {
  const sentence = 'must have at least one letter, digit or other searchable character';
  return textRule('hasSearchableCharacter', sentence, (text) => searchWords(text).length > 0);
}

function textRule(name: string, sentence: string, holds: (text: string) => boolean): PropertyDecorator {
  return rule(name, sentence, (value) => typeof value === 'string' && holds(value));
}
