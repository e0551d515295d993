/** Which names of a file, or of the modules it imports, a syntax node refers to. */
import { anyModule, type ModuleBindings, useKey } from './module-bindings.ts';
import { nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts';

/** The names a node itself mentions, without its children. */
export function mentionsAt(node: SyntaxNode, bindings: ModuleBindings): readonly string[] {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      return bindings.mention(nameOf(node));
    case 'MemberExpression':
    case 'TSQualifiedName':
    case 'JSXMemberExpression':
      return memberMention(node, bindings);
    case 'TSImportType':
    case 'ImportExpression':
      return importMention(node);
    case 'CallExpression':
      return requireMention(node);
    case 'JSXElement':
    case 'JSXFragment':
      return bindings.jsxMentions();
    default:
      return [];
  }
}

function memberMention(node: SyntaxNode, bindings: ModuleBindings): readonly string[] {
  const root = namespaceRoot(node, bindings);
  const member = nameOf(nodeAt(node, node.type === 'TSQualifiedName' ? 'right' : 'property'));
  return root !== undefined && member !== undefined ? bindings.mentionMember(root, member) : [];
}

/** The namespace import that a plain `ns.member` is taken from. */
function namespaceRoot(node: SyntaxNode, bindings: ModuleBindings): string | undefined {
  if (node.computed === true) return undefined;
  const root = nodeAt(node, node.type === 'TSQualifiedName' ? 'left' : 'object');
  const name = root?.type === 'Identifier' || root?.type === 'JSXIdentifier' ? nameOf(root) : undefined;
  return name !== undefined && bindings.isNamespace(name) ? name : undefined;
}

/** `require` is an ordinary function in TypeScript and an import in JavaScript. */
function requireMention(node: SyntaxNode): readonly string[] {
  const callee = nodeAt(node, 'callee');
  const specifier =
    callee?.type === 'Identifier' && callee.name === 'require' && nameOf(nodesAt(node, 'arguments')[0]);
  return typeof specifier === 'string' ? [useKey({ specifier, name: '*' })] : [];
}

function importMention(node: SyntaxNode): readonly string[] {
  const specifier = nameOf(nodeAt(node, 'source'));
  if (specifier === undefined) return [useKey({ specifier: anyModule, name: '*' })];
  let qualifier = nodeAt(node, 'qualifier');
  while (qualifier?.type === 'TSQualifiedName') qualifier = nodeAt(qualifier, 'left');
  return [useKey({ specifier, name: nameOf(qualifier) ?? '*' })];
}

/** Fields whose identifier names a member or a label, or a namespace whose member was recorded already. */
export function isOnlyAName(node: SyntaxNode, field: string, bindings: ModuleBindings): boolean {
  switch (field) {
    case 'property':
      return (
        node.type === 'JSXMemberExpression' || (node.type === 'MemberExpression' && node.computed !== true)
      );
    case 'object':
      return namespaceRoot(node, bindings) !== undefined;
    case 'left':
      return node.type === 'TSQualifiedName' && namespaceRoot(node, bindings) !== undefined;
    case 'right':
      return node.type === 'TSQualifiedName';
    case 'key':
      return node.computed !== true;
    case 'qualifier':
      return nodeAt(node, field)?.type === 'Identifier';
    case 'name':
      return node.type === 'JSXAttribute';
    case 'label':
      return true;
    default:
      return false;
  }
}
