import { parseSync } from '@swc/core';
import ts from 'typescript';
import { type Captures, Pattern } from './pattern.js';

/** A change of a source text. Throws, with what is amiss, when the place that it is for is not there exactly once. */
export type Fault = (source: ts.SourceFile) => Change;

export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A part of a file in which a fault is planted. */
export interface Place {
  /**
   * Puts `replacement` where the pattern (see `Pattern`) is. In it `$NAME` is what the placeholder stands for, and `$MATCH` the
   * whole of what the pattern has found.
   */
  replace(pattern: string, replacement: string): Fault;
  remove(pattern: string): Fault;
}

/** The whole file. */
export const inFile: Place = placeIn((source) => source);

/** The function, method, accessor or constructor of this name, `Class.method` where several classes have one. */
export function inFunction(name: string): Place {
  return placeIn((source) => {
    const found = functionsNamed(name, source);
    const [only] = found;
    if (found.length === 1 && only) return only;
    throw new Error(`there are ${found.length} functions ${name}, instead of one`);
  });
}

/** These words in one of the file's SQL texts, however they are spaced. */
export function inSql(words: string): { replaceWith(others: string): Fault; remove(): Fault } {
  const replaceWith =
    (others: string): Fault =>
    (source) => {
      const found = textsIn(source).flatMap(({ start, text }) =>
        [...text.matchAll(asExpression(words))].map((match) => ({
          start: start + match.index,
          end: start + match.index + match[0].length,
          text: others,
        })),
      );
      const [only] = found;
      if (found.length === 1 && only) return only;
      throw new Error(`"${words}" occurs ${found.length} times in SQL, instead of once`);
    };
  return { replaceWith, remove: () => replaceWith('') };
}

/** The file with the fault in it. */
export function plant(fault: Fault, text: string): string {
  const {
    start,
    end,
    text: replacement,
  } = fault(ts.createSourceFile('planted.ts', text, ts.ScriptTarget.Latest, true));
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Whether jest's compiler can read a text; the one of TypeScript finds less amiss before it knows the types. */
export function isProgram(text: string): boolean {
  try {
    parseSync(text, { syntax: 'typescript', decorators: true });
    return true;
  } catch {
    return false;
  }
}

function placeIn(find: (source: ts.SourceFile) => ts.Node): Place {
  const replace =
    (pattern: string, replacement: string): Fault =>
    (source) => {
      const { node, captures } = new Pattern(pattern).findIn(find(source));
      const text = filledIn(replacement, new Map([...captures, ['$MATCH', node.getText()]]));
      return { start: node.getStart(), end: node.end, text };
    };
  return { replace, remove: (pattern) => replace(pattern, '') };
}

function filledIn(replacement: string, captures: Captures): string {
  return replacement.replaceAll(/\$[A-Z]+/g, (name) => captures.get(name) ?? name);
}

function functionsNamed(name: string, source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const own = nameOf(node);
    if (own !== null && (own === name || `${classOf(node)}.${own}` === name)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node: ts.Node): string | null {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
    return node.name?.getText() ?? null;
  }
  const isHolder = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node);
  const held = isHolder ? node.initializer : undefined;
  return isHolder && held && ts.isFunctionLike(held) ? node.name.getText() : null;
}

function classOf({ parent }: ts.Node): string {
  return ts.isClassLike(parent) ? (parent.name?.text ?? '') : '';
}

/** The texts of a file, where they begin, without their quotation marks. */
function textsIn(source: ts.SourceFile): { start: number; text: string }[] {
  const texts: { start: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText) texts.push({ start: node.getStart(), text: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** Words have white space between them, signs may. */
function asExpression(words: string): RegExp {
  const tokens = words.match(/\w+|[^\w\s]/g) ?? [];
  const joined = tokens.reduce((before, token, index) => {
    const isBetweenWords = /\w$/.test(tokens[index - 1] ?? '') && /^\w/.test(token);
    return `${before}${index === 0 ? '' : isBetweenWords ? '\\s+' : '\\s*'}${token.replace(/[^\w]/g, '\\$&')}`;
  }, '');
  return new RegExp(`(?<!\\w)${joined}(?!\\w)`, 'gi');
}
