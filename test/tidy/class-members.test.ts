/** A class guards an invariant; with more than this many public members it guards several, or holds what functions could do. */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceFiles } from '../support/source-tree.ts';

const most = 14;

/** Classes that are still larger. One that has become smaller must leave the list. */
const larger = ['AgentPanel', 'Buffers', 'EditorBuffer', 'QueueStore'];

test.each<[string, number]>([
  ['class A { a = 1; #b = 2; private c = 3; constructor() {} }', 1],
  ['class A { get a() { return 1; } set a(x) {} static b() {} [Symbol.dispose]() {} }', 3],
  ['class A { constructor(readonly a: string, private b: string, c: string) {} }', 1],
])('%s has %i public members', (text, expected) => {
  expect(classesIn('a.ts', text)[0]?.members.size).toBe(expected);
});

test(`a class has at most ${most} public members`, async () => {
  const files = (await sourceFiles('src')).filter(({ path }) => !path.endsWith('.test.ts'));
  const classes = files.flatMap(({ path, text }) => classesIn(path, text));
  expect(classes.length).toBeGreaterThan(300);
  const found = classes.filter(({ members }) => members.size > most);
  expect(found.map(({ name }) => name).sort()).toEqual(larger);
});

function classesIn(path: string, text: string): readonly { name: string; members: ReadonlySet<string> }[] {
  if (!/\bclass\b/.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: { name: string; members: ReadonlySet<string> }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node))
      found.push({ name: node.name?.text ?? '', members: new Set(node.members.flatMap(publicNames)) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function publicNames(member: ts.ClassElement): readonly string[] {
  if (ts.isConstructorDeclaration(member))
    return member.parameters
      .filter((each) => each.modifiers && isPublic(each))
      .map(({ name }) => name.getText());
  if (member.name === undefined || ts.isPrivateIdentifier(member.name) || !isPublic(member)) return [];
  return [member.name.getText()];
}

function isPublic(declaration: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier) === 0;
}
