/**
 * The edits of a change, read for comparison: what each file declared before and declares after.
 *
 * Invariant: a file that comes or goes is compared with an empty module, which is what it is to files that do not refer to it.
 */
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { TextChange } from './edit-proof.ts';
import { differenceOf, type ModuleDifference, type ModuleFacts } from './module-facts.ts';
import { readModule } from './module-reader.ts';
import { isTypeScript, type Parser } from './syntax-tree.ts';

export interface FileEdit {
  readonly before: ModuleFacts;
  readonly after: ModuleFacts;
  readonly difference: ModuleDifference;
}

/** The edits, or in words why any file may be affected. */
export function readEdits(
  changes: ReadonlyMap<WorkspacePath, TextChange>,
  texts: TextFacts,
  parse: Parser,
): ReadonlyMap<WorkspacePath, FileEdit> | string {
  const edits = new Map<WorkspacePath, FileEdit>();
  for (const [path, { before, after }] of changes) {
    if (before === after) continue;
    if (!isTypeScript(path)) return `${path} is no TypeScript: what others take from it cannot be told`;
    const edit = walked(
      () => readEdit(path, { before: before ?? emptyModule, after: after ?? emptyModule }, texts, parse),
      tooDeep,
    );
    if (typeof edit === 'string') return `${path}: ${edit}`;
    edits.set(path, edit);
  }
  return edits;
}

function readEdit(
  path: WorkspacePath,
  { before, after }: { readonly before: string; readonly after: string },
  texts: TextFacts,
  parse: Parser,
): FileEdit | string {
  const [old, young] = [texts.read(path, before, parse), texts.read(path, after, parse)];
  if (!old || !young) return `the text ${old ? 'after' : 'before'} the edit does not parse`;
  const difference = differenceOf(old.facts, young.facts);
  if (typeof difference === 'string') return difference;
  return { before: old.facts, after: young.facts, difference };
}

const emptyModule = 'export {};\n';

/** A text read to be compared with another one. */
interface TextWithFacts {
  readonly text: string;
  readonly facts: ModuleFacts;
}

/** The texts compared last: most evaluations compare with the same text of the disk, and each compares more than once. */
export class TextFacts {
  readonly #read = new Map<WorkspacePath, readonly TextWithFacts[]>();

  /** Undefined if the text does not parse. */
  read(path: WorkspacePath, text: string, parse: Parser): TextWithFacts | undefined {
    const known = this.#read.get(path) ?? [];
    const found = known.find((each) => each.text === text) ?? readCompared(path, text, parse);
    // A generated file of many megabytes is read anew rather than kept three times.
    if (!found || text.length > longestKept) return found;
    this.#read.delete(path);
    this.#read.set(path, [found, ...known.filter((each) => each !== found)].slice(0, textsOfAFile));
    const [eldest] = this.#read.keys();
    if (eldest !== undefined && this.#read.size > filesCompared) this.#read.delete(eldest);
    return found;
  }
}

function readCompared(path: WorkspacePath, text: string, parse: Parser): TextWithFacts | undefined {
  const tree = parse(path, text);
  return tree && { text, facts: readModule(tree, text, 'comparison') };
}

/** The text of the disk, one before it and one after it. */
const textsOfAFile = 3;
const filesCompared = 16;
const longestKept = 200_000;
const tooDeep = 'it is nested too deeply to be read';

/** The result of a tree walk, or `otherwise` if the tree is deeper than the stack: thousands of operators in a row. */
export function walked<Found, Otherwise>(walk: () => Found, otherwise: Otherwise): Found | Otherwise {
  try {
    return walk();
  } catch (thrown) {
    if (thrown instanceof RangeError) return otherwise;
    throw thrown;
  }
}
