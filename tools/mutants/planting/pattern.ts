import ts from 'typescript';

/** What the placeholders of a pattern stand for, by name, as it is written in the source. */
export type Captures = ReadonlyMap<string, string>;

const anyNode = /^\$[A-Z]+$/;
const anyNodes = '$$$';

/**
 * A piece of TypeScript to be looked for: a statement, an expression, or a property of an object (`credits: -1`). White space,
 * comments and type arguments don't matter. `$NAME` stands for any one node, the same one wherever the name occurs; `$$$` for any number of
 * nodes in a list.
 */
export class Pattern {
  private readonly sought: ts.Node;

  constructor(private readonly text: string) {
    this.sought = nodeOf(text);
  }

  /** The only place below `node` that matches. Throws when there is none, or more than one. */
  findIn(node: ts.Node): { readonly node: ts.Node; readonly captures: Captures } {
    const found: { node: ts.Node; captures: Captures }[] = [];
    const visit = (candidate: ts.Node): void => {
      const captures = new Map<string, string>();
      if (matches(this.sought, candidate, captures)) found.push({ node: candidate, captures });
      ts.forEachChild(candidate, visit);
    };
    visit(node);
    const [only] = found;
    if (found.length === 1 && only) return only;
    throw new Error(`\`${this.text}\` occurs ${found.length} times, instead of once`);
  }
}

/** The node that a pattern is made of. */
function nodeOf(text: string): ts.Node {
  // A property alone would be read as a statement with a label.
  const property = /^(\w+)\s*:(?!:)/.test(text) && !text.endsWith(';');
  const source = ts.createSourceFile(
    'pattern.ts',
    property ? `({ ${text} });` : text,
    ts.ScriptTarget.Latest,
    true,
  );
  const [statement] = source.statements;
  if (!statement || source.statements.length > 1) throw new Error(`\`${text}\` is no one statement`);
  if (!ts.isExpressionStatement(statement)) return statement;
  if (property) return propertyIn(statement.expression);
  return text.trimEnd().endsWith(';') ? statement : withoutParentheses(statement.expression);
}

function propertyIn(expression: ts.Expression): ts.Node {
  const object = withoutParentheses(expression);
  const only = ts.isObjectLiteralExpression(object) ? object.properties[0] : undefined;
  if (!only) throw new Error('no property');
  return only;
}

/** An object by itself would be read as a block: a pattern puts it into parentheses. */
function withoutParentheses(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ? expression.expression : expression;
}

function matches(sought: ts.Node, node: ts.Node, captures: Map<string, string>): boolean {
  const placeholder = placeholderOf(sought, node);
  if (placeholder !== null) return capture(placeholder, node, captures);
  if (sought.kind !== node.kind || detailsOf(sought) !== detailsOf(node)) return false;
  return listsMatch(childrenOf(sought), childrenOf(node), captures);
}

/** A placeholder that stands alone as a statement means a statement, where a statement is looked at. */
function placeholderOf(sought: ts.Node, node: ts.Node): string | null {
  if (ts.isIdentifier(sought) && anyNode.test(sought.text)) return sought.text;
  if (ts.isExpressionStatement(sought) && ts.isStatement(node)) return placeholderOf(sought.expression, node);
  return null;
}

function capture(name: string, node: ts.Node, captures: Map<string, string>): boolean {
  const text = node.getText();
  const known = captures.get(name);
  captures.set(name, known ?? text);
  return known === undefined || known === text;
}

/** What tells two nodes of a kind apart, beside their children. */
function detailsOf(node: ts.Node): string {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isLiteralExpression(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return node.text;
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return String(node.operator);
  if (ts.isVariableDeclarationList(node)) return String(node.flags & ts.NodeFlags.BlockScoped);
  return '';
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    if (!ts.isTypeNode(child)) children.push(child);
  });
  return children;
}

function listsMatch(
  sought: readonly ts.Node[],
  nodes: readonly ts.Node[],
  captures: Map<string, string>,
): boolean {
  const [first, ...rest] = sought;
  if (!first) return nodes.length === 0;
  if (isAnyNodes(first)) {
    return Array.from({ length: nodes.length + 1 }, (_, skipped) => skipped).some((skipped) =>
      attempt(captures, (tried) => listsMatch(rest, nodes.slice(skipped), tried)),
    );
  }
  const [node, ...others] = nodes;
  return node !== undefined && matches(first, node, captures) && listsMatch(rest, others, captures);
}

function isAnyNodes(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return isAnyNodes(node.expression);
  if (ts.isShorthandPropertyAssignment(node)) return isAnyNodes(node.name);
  return ts.isIdentifier(node) && node.text === anyNodes;
}

/** Keeps what was captured only when the attempt succeeds. */
function attempt(captures: Map<string, string>, work: (tried: Map<string, string>) => boolean): boolean {
  const tried = new Map(captures);
  if (!work(tried)) return false;
  for (const [name, text] of tried) captures.set(name, text);
  return true;
}
