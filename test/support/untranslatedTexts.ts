// What the sources of the editor's side would show a person in English in every language: words that stand where they
// are shown, and sentences anywhere, that are given neither to `l10n.t` nor to the log.

import fs from 'node:fs';
import { parseSync } from 'oxc-parser';
import type { Expression, Node } from 'oxc-parser';
import { lineAt } from './shownTexts.ts';

interface UntranslatedText {
  /** With `…` in the places of the values. */
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly use: Exclude<Use, 'hidden'>;
}

/** Whether a text is for a person: surely, as the words of an error, perhaps (then several words tell), or not at all. */
type Use = 'shown' | 'thrown' | 'unknown' | 'hidden';
type Part = readonly [Node, Use];

const LOGGING = /\blog\.(trace|debug|info|warn|error)$/;
const SHOWING =
  /\.(show\w+Message|setStatusBarMessage|markdown|progress|appendMarkdown|appendText)$/;
const SHOWN_CLASSES = /(^|\.)(MarkdownString|TreeItem|FileDecoration)$/;
const ERROR_CLASSES = /Error$/;
/** Of options, rows and buttons. */
const SHOWN_PROPERTIES = [
  'description',
  'detail',
  'invocationMessage',
  'justification',
  'label',
  'message',
  'openLabel',
  'placeHolder',
  'placeholder',
  'prompt',
  'saveLabel',
  'title',
  'tooltip',
  'validationMessage',
];
/** Of what is on the screen already, such as the item in the status bar. */
const ASSIGNED_PROPERTIES = [...SHOWN_PROPERTIES, 'name', 'text'];
/** Parts that hand on what is made of them. */
const CARRIERS = [
  'ArrayExpression',
  'AwaitExpression',
  'LogicalExpression',
  'ParenthesizedExpression',
  'SpreadElement',
  'TemplateLiteral',
];
/** Words in them are never shown. */
const SILENT = [
  'ImportDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSTypeAnnotation',
  'TSTypeParameterInstantiation',
];

export function untranslatedTexts(
  file: string,
  source = fs.readFileSync(file, 'utf8'),
): readonly UntranslatedText[] {
  const found: UntranslatedText[] = [];
  const visit = ([node, use]: Part): void => {
    const text = literalText(node);
    if (text !== undefined && use !== 'hidden' && isForPerson(text, use))
      found.push({ text, file, line: lineAt(source, node.start), use });
    for (const part of partsOf(node, use, source)) visit(part);
  };
  visit([parseSync(file, source).program, 'unknown']);
  return found;
}

function partsOf(node: Node, use: Use, source: string): readonly Part[] {
  const code = ({ start, end }: Node) => source.slice(start, end);
  if (SILENT.includes(node.type)) return [];
  if (node.type === 'CallExpression') {
    const callee = code(node.callee);
    const [first, ...others] = node.arguments;
    if (callee === 'vscode.l10n.t') return as('unknown', ...others);
    if (LOGGING.test(callee)) return as('hidden', ...node.arguments);
    // What is joined is shown with what it is joined to.
    if (callee.endsWith('.join')) return as(use, ...objectOf(node.callee));
    return [
      ...as('unknown', node.callee),
      ...as(SHOWING.test(callee) ? 'shown' : 'unknown', ...(first ? [first, ...others] : [])),
    ];
  }
  if (node.type === 'NewExpression') return as(useIn(code(node.callee)), ...node.arguments);
  if (node.type === 'TaggedTemplateExpression') return as('unknown', ...node.quasi.expressions);
  if (node.type === 'BinaryExpression')
    return as(node.operator === '+' ? use : 'hidden', node.left, node.right);
  if (node.type === 'SwitchCase') return as('unknown', ...node.consequent);
  if (node.type === 'ConditionalExpression')
    return [...as('unknown', node.test), ...as(use, node.consequent, node.alternate)];
  if (node.type === 'Property') return as(useBy(node.key, SHOWN_PROPERTIES), node.value);
  if (node.type === 'VariableDeclarator')
    return node.init ? as(useBy(node.id, SHOWN_PROPERTIES), node.init) : [];
  if (node.type === 'AssignmentExpression') {
    const { left, right } = node;
    const isMember = left.type === 'MemberExpression';
    return as(isMember ? useBy(left.property, ASSIGNED_PROPERTIES) : 'unknown', right);
  }
  return as(
    CARRIERS.includes(node.type) || use === 'hidden' ? use : 'unknown',
    ...childrenOf(node),
  );
}

function as(use: Use, ...nodes: readonly Node[]): readonly Part[] {
  return nodes.map((node): Part => [node, use]);
}

function objectOf(callee: Expression): readonly Node[] {
  return callee.type === 'MemberExpression' ? [callee.object] : [];
}

function useIn(made: string): Use {
  if (ERROR_CLASSES.test(made)) return 'thrown';
  return SHOWN_CLASSES.test(made) ? 'shown' : 'unknown';
}

function useBy(name: Node, shown: readonly string[]): Use {
  return name.type === 'Identifier' && shown.includes(name.name) ? 'shown' : 'unknown';
}

function literalText(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map(({ value }) => value.cooked ?? '').join('…');
}

/** Icons, code, links, addresses and tags are the same in every language. */
function isForPerson(text: string, use: UntranslatedText['use']): boolean {
  const words = text
    .replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replace(/\$\([\w~-]+\)|`[^`]+`|\]\([^)]*\)|\w+:\S+/g, ' ');
  if (use !== 'unknown') return /\p{L}{2}/u.test(words);
  return /\p{L}{2}[,;:]? \p{L}+|^\p{Lu}\p{Ll}+$/u.test(words);
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
