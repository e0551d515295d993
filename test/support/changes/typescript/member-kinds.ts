/** Changes of members: of interfaces and object types, of classes, of enums and of unions. */
import ts from 'typescript';
import type { SeededRandom } from '../../seeded-random.ts';
import type { Change, ChangeKind } from '../change.ts';
import { drawOne, type Sources } from '../sources.ts';
import { changed } from './body-kinds.ts';
import { drawNode, exportedStatements, memberLists, nodesBelow, spanOf } from './syntax-tree.ts';

export const memberKinds: readonly ChangeKind[] = [
  { name: 'member-added', draw: addMember },
  { name: 'member-removed', draw: removeMember },
  { name: 'member-optional', draw: makeOptional },
  { name: 'private-type', draw: changePrivateType },
  { name: 'method-private', draw: makePrivate },
  { name: 'enum-added', draw: addEnumMember },
  { name: 'enum-removed', draw: removeEnumMember },
  { name: 'union-added', draw: addUnionMember },
  { name: 'union-removed', draw: removeUnionMember },
];

function addMember(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, memberLists);
  if (!found) return undefined;
  const at = found.node.getEnd() - 1;
  const added = '; addedMember: { readonly added: symbol };';
  const text =
    found.node.members.length === 0 || /[;,]\s*$/.test(found.file.text.slice(0, at)) ? added.slice(2) : added;
  return changed(
    found.file,
    { start: at, end: at },
    text,
    `adds a required member to ${ownerOf(found.node)}`,
  );
}

function removeMember(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    memberLists(tree).flatMap(({ members }) => [...members]),
  );
  if (!found) return undefined;
  return changed(
    found.file,
    spanOf(found.node),
    '',
    `removes ${found.node.getText().slice(0, 60)} from a type`,
  );
}

function makeOptional(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    memberLists(tree).flatMap(({ members }) =>
      members.filter(
        (member): member is ts.PropertySignature => ts.isPropertySignature(member) && !member.questionToken,
      ),
    ),
  );
  if (!found) return undefined;
  const at = found.node.name.getEnd();
  return changed(found.file, { start: at, end: at }, '?', `makes ${found.node.name.getText()} optional`);
}

/** The counterexample of declaration digests: the type of a private member turns the variance of its class. */
function changePrivateType(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    classMembers(tree)
      .filter(ts.isPropertyDeclaration)
      .filter((member) => member.type !== undefined && isHidden(member)),
  );
  const type = found?.node.type;
  if (!found || !type) return undefined;
  const old = type.getText();
  const text = drawOne([`(value: ${old}) => void`, '{ readonly changedMember: true }'], random) ?? 'never';
  return changed(
    found.file,
    spanOf(type),
    text,
    `changes the hidden member ${found.node.name.getText()} to ${text}`,
  );
}

function isHidden(member: ts.PropertyDeclaration): boolean {
  const flags = ts.getCombinedModifierFlags(member);
  return (
    ts.isPrivateIdentifier(member.name) ||
    (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0
  );
}

function makePrivate(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    classMembers(tree)
      .filter(ts.isMethodDeclaration)
      .filter((member) => ts.isIdentifier(member.name) && (ts.getModifiers(member)?.length ?? 0) === 0),
  );
  if (!found) return undefined;
  const at = found.node.getStart();
  return changed(
    found.file,
    { start: at, end: at },
    'private ',
    `makes ${found.node.name.getText()} private`,
  );
}

function classMembers(tree: ts.SourceFile): readonly ts.ClassElement[] {
  return nodesBelow(tree, ts.isClassDeclaration).flatMap(({ members }) => [...members]);
}

function addEnumMember(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) => nodesBelow(tree, ts.isEnumDeclaration));
  const first = found?.node.members[0];
  if (!found || !first) return undefined;
  const value = first.initializer && ts.isStringLiteral(first.initializer) ? "'added'" : '-77';
  const start = first.getStart();
  return changed(
    found.file,
    { start, end: start },
    `AddedMember = ${value}, `,
    `adds a member to ${found.node.name.text}`,
  );
}

function removeEnumMember(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    nodesBelow(tree, ts.isEnumDeclaration).flatMap(({ members }) => [...members]),
  );
  if (!found) return undefined;
  const { file, node } = found;
  const comma = /^\s*,/.exec(file.text.slice(node.getEnd()))?.[0].length ?? 0;
  const span = { start: node.getStart(), end: node.getEnd() + comma };
  return changed(file, span, '', `removes the member ${node.name.getText()}`);
}

function unions(tree: ts.SourceFile): readonly ts.UnionTypeNode[] {
  return exportedStatements(tree)
    .filter(ts.isTypeAliasDeclaration)
    .flatMap(({ type }) => (ts.isUnionTypeNode(type) ? [type] : []));
}

function addUnionMember(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, unions);
  if (!found) return undefined;
  const { file, node } = found;
  const span = { start: node.getEnd(), end: node.getEnd() };
  return changed(
    file,
    span,
    ` | { readonly addedMember: symbol }`,
    `adds a member to the union on ${lineOf(found)}`,
  );
}

function removeUnionMember(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, unions);
  if (!found) return undefined;
  const { file, node } = found;
  const dropped = drawOne([...node.types], random);
  const kept = node.types.filter((type) => type !== dropped).map((type) => type.getText());
  return changed(
    file,
    spanOf(node),
    kept.join(' | '),
    `removes ${dropped?.getText().slice(0, 60)} from the union on ${lineOf(found)}`,
  );
}

function lineOf({ file, node }: { file: { tree: ts.SourceFile }; node: ts.Node }): string {
  return `line ${file.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function ownerOf(node: ts.InterfaceDeclaration | ts.TypeLiteralNode): string {
  if (ts.isInterfaceDeclaration(node)) return node.name.text;
  return ts.isTypeAliasDeclaration(node.parent) ? node.parent.name.text : 'a type';
}
