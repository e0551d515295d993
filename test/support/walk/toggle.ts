/**
 * A change that can be made and taken back any number of times, so that a walk of any length stays within a workspace of
 * a few files and comes by the same states again and again.
 *
 * Invariant: applying a toggle to the state it made gives back the state before, as long as no other changed the same lines.
 */
import type { LanguageCase, Step } from '../language-case.ts';

/** The files of a workspace by path. */
export type Tree = ReadonlyMap<string, string>;

export type Toggle =
  /** One of two texts stands in a file. */
  | ({ readonly kind: 'text' } & Step)
  /** A file is absent, or holds one of some texts. */
  | { readonly kind: 'file'; readonly path: string; readonly texts: readonly [string, ...string[]] }
  /** A file has one of two names. */
  | { readonly kind: 'name'; readonly from: string; readonly to: string };

/** Which files a change leaves otherwise; undefined for one that it removes. */
export type TreeChange = ReadonlyMap<string, string | undefined>;

/** What the toggle would do to the tree; undefined where it does not apply. `choice` picks among texts. */
export function turned(tree: Tree, toggle: Toggle, choice: number): TreeChange | undefined {
  switch (toggle.kind) {
    case 'text': {
      const text = tree.get(toggle.path);
      const after = text === undefined ? undefined : turnedText(text, toggle);
      return after === undefined ? undefined : new Map([[toggle.path, after]]);
    }
    case 'file':
      return new Map([[toggle.path, tree.has(toggle.path) ? undefined : textAt(toggle.texts, choice)]]);
    case 'name': {
      const [from, to] = tree.has(toggle.from) ? [toggle.from, toggle.to] : [toggle.to, toggle.from];
      const text = tree.get(from);
      if (text === undefined || tree.has(to)) return undefined;
      return new Map([
        [from, undefined],
        [to, text],
      ]);
    }
  }
}

export function changed(tree: Tree, change: TreeChange): Tree {
  const result = new Map(tree);
  for (const [path, text] of change) {
    if (text === undefined) result.delete(path);
    else result.set(path, text);
  }
  return result;
}

/** The change that leads from the second tree to the first. */
export function wayBack(before: Tree, after: Tree): TreeChange {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const back = [...paths].filter((path) => before.get(path) !== after.get(path));
  return new Map(back.map((path) => [path, before.get(path)]));
}

/** The changes that every language has a case for, made repeatable. */
export function togglesOf(language: LanguageCase): readonly Toggle[] {
  const { breaking, mend, move, removeExport, changeSignature, create, remove, rename } = language;
  const steps = [breaking, mend, move, removeExport, changeSignature, create.use];
  return [
    ...steps.map((step) => ({ kind: 'text', ...step }) as const),
    { kind: 'file', path: create.path, texts: [create.right, create.wrong] },
    { kind: 'file', path: remove, texts: [language.files[remove] ?? ''] },
    { kind: 'name', ...rename },
  ];
}

/** The longer text is looked for first: the shorter one is often a part of it. */
function turnedText(text: string, step: Step): string | undefined {
  const [long, short] =
    step.replace.length > step.with.length ? [step.replace, step.with] : [step.with, step.replace];
  if (text.includes(long)) return text.replace(long, () => short);
  return text.includes(short) ? text.replace(short, () => long) : undefined;
}

function textAt(texts: readonly [string, ...string[]], choice: number): string {
  return texts[choice % texts.length] ?? texts[0];
}
