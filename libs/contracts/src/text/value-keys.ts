import { foldText } from './fold.js';

/*
 * Keys are stored beside creators, so a change of a table or of a rule here needs a new version of the rules of text, after
 * which stored keys are derived again. The names come from ICU, whose version is a part of that one.
 */

/** One form for the names and the codes of a country: `US`, `USA` and `United States of America` are one country. */
export const countryKey = remembering((country) => {
  const name = nameKey(country);
  const code = countryNames.get(name) ?? countryCode(name);
  return code === undefined ? name : nameKey(regions.of(code) ?? code);
});

/** One form for the names and the codes of a language: `en`, `eng`, `en-GB` and `English` are one language. */
export const languageKey = remembering((language) => {
  const name = nameKey(language);
  const code = languageNames.get(name) ?? languageCode(name);
  return code === undefined ? name : nameKey(languages.of(code) ?? code);
});

/** The English name of a country by any of its names and codes; `null`: it is none that is known. */
export function countryName(country: string): string | null {
  return namesOfCountries.get(countryKey(country)) ?? null;
}

/** The English name of a language by any of its names and codes; `null`: it is none that is known. */
export function languageName(language: string): string | null {
  return namesOfLanguages.get(languageKey(language)) ?? null;
}

/** Keeps the first thousand results: an import derives the same few again and again. */
export function remembering(derive: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const key = known.get(name) ?? derive(name);
    if (known.size < 1_000) known.set(name, key);
    return key;
  };
}

/** Folded, without punctuation, without `and` inside and `the` in front. */
function nameKey(name: string): string {
  const folded = foldText(name);
  const words = folded.replace(/[.'’ʼʻ`]/g, '').match(/[\p{L}\p{M}\p{N}]+/gu);
  if (words === null) return folded;
  while (words.length > 1 && words[0] === 'the') words.shift();
  if (words.length > 1 && words[0] === 'st') words[0] = 'saint';
  return words.filter((word, index) => word !== 'and' || index === 0 || index === words.length - 1).join(' ');
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** The code of two letters that a code of two or three letters stands for. */
function countryCode(code: string): string | undefined {
  const upper = code.toUpperCase();
  if (/^[A-Z]{3}$/.test(upper)) return alpha3.get(upper);
  return /^[A-Z]{2}$/.test(upper) && regions.of(upper) !== undefined ? upper : undefined;
}

/** A code of ISO 639, also at the front of a tag such as `pt-BR` or `zh-Hans`. */
function languageCode(tag: string): string | undefined {
  const [, code] = /^([a-z]{2,3})(?: [a-z]{4})?(?: [a-z]{2}| \d{3})?$/.exec(tag) ?? [];
  if (code === undefined) return undefined;
  // The short code of `eng`; a dialect such as `cmn` becomes its language.
  const [canonical = code] = Intl.getCanonicalLocales(code);
  return languages.of(canonical) === undefined ? undefined : canonical;
}

/** Codes of three letters, each followed by the code of two. */
const alpha3 = new Map(
  (
    'ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI BELBE ' +
    'BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BVTBV BWABW ' +
    'CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY ' +
    'CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR ' +
    'FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU ' +
    'GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE ' +
    'JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT ' +
    'LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ ' +
    'MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ ' +
    'OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU ' +
    'RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK ' +
    'SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV ' +
    'TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS XKKXK XKXXK ' +
    'YEMYE ZAFZA ZMBZM ZWEZW'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, 3), pair.slice(3)] as const),
);

/** Usual names other than ICU's, and those of ISO 3166. */
const countryNames = codesByName({
  AE: 'Emirates, UAE',
  BL: 'Saint Barthelemy, Saint Barts',
  BN: 'Brunei Darussalam',
  BO: 'Plurinational State of Bolivia, Bolivia Plurinational State of',
  BQ: 'Bonaire Sint Eustatius and Saba',
  BS: 'The Bahamas',
  CC: 'Cocos Islands',
  CD: 'Democratic Republic of the Congo, Democratic Republic of Congo, DR Congo, DRC, Congo Kinshasa, Congo The Democratic Republic of the, Zaire',
  CG: 'Republic of the Congo, Congo, Congo Republic, Congo Brazzaville',
  CI: 'Ivory Coast',
  CN: 'Peoples Republic of China, PRC, Mainland China',
  CV: 'Cabo Verde',
  CZ: 'Czech Republic',
  DO: 'Dominican Rep',
  FK: 'Falkland Islands Malvinas',
  FM: 'Federated States of Micronesia, Micronesia Federated States of',
  GB: 'Great Britain, Britain, United Kingdom of Great Britain and Northern Ireland',
  GM: 'Republic of The Gambia',
  GS: 'South Georgia and the South Sandwich Islands',
  HK: 'Hong Kong, Hong Kong SAR, Hongkong',
  HM: 'Heard Island and McDonald Islands',
  IE: 'Republic of Ireland',
  IR: 'Islamic Republic of Iran, Iran Islamic Republic of',
  KN: 'Saint Kitts and Nevis',
  KP: 'DPRK, Democratic Peoples Republic of Korea, Korea Democratic Peoples Republic of',
  KR: 'Republic of Korea, Korea, Korea Republic of, Korea South',
  LA: 'Lao Peoples Democratic Republic, Lao PDR',
  MD: 'Republic of Moldova, Moldova Republic of',
  MF: 'Saint Martin, Saint Martin French part',
  MK: 'Macedonia, Republic of North Macedonia, FYROM',
  MM: 'Myanmar, Burma',
  MO: 'Macao, Macau, Macao SAR',
  NL: 'Holland, Netherlands Kingdom of the',
  PM: 'Saint Pierre and Miquelon',
  PN: 'Pitcairn',
  PS: 'Palestine, State of Palestine, Palestine State of, Palestinian Territory',
  RU: 'Russian Federation',
  SA: 'Kingdom of Saudi Arabia, KSA',
  SH: 'Saint Helena, Saint Helena Ascension and Tristan da Cunha',
  SK: 'Slovak Republic',
  SX: 'Sint Maarten Dutch part',
  SY: 'Syrian Arab Republic',
  SZ: 'Swaziland',
  TL: 'East Timor',
  TR: 'Turkey, Republic of Turkiye',
  TW: 'Taiwan Province of China, Republic of China',
  TZ: 'United Republic of Tanzania, Tanzania United Republic of',
  UM: 'United States Minor Outlying Islands',
  US: 'United States of America, America',
  VA: 'Vatican, Holy See, Holy See Vatican City State, Vatican City State',
  VC: 'Saint Vincent and the Grenadines',
  VE: 'Bolivarian Republic of Venezuela, Venezuela Bolivarian Republic of',
  VG: 'Virgin Islands British',
  VI: 'US Virgin Islands, United States Virgin Islands, Virgin Islands US',
  VN: 'Viet Nam',
});

/** Usual names other than ICU's, and names that look like the code of another language. */
const languageNames = codesByName({
  ak: 'Twi',
  az: 'Azeri',
  be: 'Byelorussian, Belorussian',
  bn: 'Bengali',
  bkm: 'Kom',
  ca: 'Valencian',
  ckb: 'Sorani',
  dnj: 'Dan',
  dv: 'Dhivehi, Maldivian',
  el: 'Modern Greek',
  es: 'Castilian',
  fa: 'Farsi',
  ff: 'Fulani, Fulah',
  fil: 'Tagalog, Pilipino',
  fvr: 'Fur',
  fy: 'Frisian',
  ga: 'Irish Gaelic',
  gaa: 'Ga',
  hoc: 'Ho',
  ht: 'Haitian, Kreyol',
  ii: 'Yi, Nuosu',
  kl: 'Greenlandic',
  km: 'Cambodian, Central Khmer',
  ky: 'Kirghiz',
  lb: 'Letzeburgesch',
  lg: 'Luganda',
  mnw: 'Mon',
  my: 'Myanmar',
  nb: 'Bokmal',
  nl: 'Flemish',
  nn: 'Nynorsk',
  ny: 'Chichewa, Chewa',
  or: 'Oriya',
  os: 'Ossetian',
  pa: 'Panjabi',
  ps: 'Pushto',
  rn: 'Kirundi',
  ro: 'Moldovan, Moldavian',
  rw: 'Rwanda',
  si: 'Sinhalese',
  sl: 'Slovene',
  st: 'Sesotho, Sotho',
  sw: 'Kiswahili',
  tn: 'Setswana',
  ug: 'Uighur',
  wbm: 'Wa',
  xh: 'isiXhosa',
  zh: 'Mandarin, Mandarin Chinese, Simplified Chinese, Traditional Chinese, Chinese Simplified, Chinese Traditional',
  zu: 'isiZulu',
});

function codesByName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([code, list]) => list.split(', ').map((name) => [nameKey(name), code])),
  );
}

const namesOfCountries = namesByKey(regions, alpha3.values());
/** Languages with a code of two letters, and the larger ones of others: asking ICU for all of those takes half a second. */
const namesOfLanguages = namesByKey(languages, [
  ...pairsOfLetters(),
  ...'ast awa bal bho ceb chr ckb doi fil gsw haw hmn ilo kok lus mag mai mni nds pap sat scn sco tet tpi war yue'.split(
    ' ',
  ),
]);

function namesByKey(names: Intl.DisplayNames, codes: Iterable<string>): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const code of codes) {
    const name = names.of(code);
    if (name !== undefined) known.set(nameKey(name), name);
  }
  return known;
}

function pairsOfLetters(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}
