import { readdirSync, readFileSync } from 'node:fs';

/** The `from` or `to` of a rule. `$1` in a pattern refers to what the other side has captured. */
interface Side {
  readonly path?: string;
  readonly pathNot?: string;
}

const { forbidden } = JSON.parse(readFileSync('.dependency-cruiser.json', 'utf8')) as {
  forbidden: readonly { readonly name: string; readonly from: Side; readonly to: Side }[];
};
const folders = ['apps', 'libs', 'tools', 'bench', 'test'];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
);
const outside = ['node_modules/pg/index.js', 'node:net'];

it.each(forbidden.flatMap(({ name, from, to }) => [from, to].map((side) => ({ name, side }))))(
  'each pattern of $name matches files, so that the rule protects something: $side',
  ({ side: { path = '', pathNot } }) => {
    const alternatives = [path, ...(pathNot === undefined ? [] : [pathNot])].flatMap((pattern) =>
      pattern.split(/\|(?=\^)/),
    );
    const unmatched = alternatives.filter((pattern) => {
      const expression = new RegExp(pattern.replace(/\$\d/g, '[^/]+'));
      return ![...files, ...outside].some((file) => expression.test(file));
    });
    expect(unmatched).toEqual([]);
  },
);
