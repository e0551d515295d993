/**
 * Proves which other files can see a difference after an edit of TypeScript files.
 *
 * Files are read once and indexed by their words; those that may matter for a request are parsed for it, and the
 * facts are kept until the file changes.
 *
 * Invariant: an answer includes every event reported before the request. A proof may list too many files, never too
 * few; if its conditions do not hold there is none.
 */
import { setImmediate } from 'node:timers/promises';
import { FifoLock } from '../../base/fifo-lock.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { isConfigFile, sourceExtensions, suffixOf } from '../reach/reach-family.ts';
import type { OverlayTexts } from '../reach/reach-graph.ts';
import { BareSpecifiers } from './bare-specifier.ts';
import type { EditProof, TextChange } from './edit-proof.ts';
import { mayBeReferredTo, type ReferringText } from './file-reference.ts';
import type { InstalledPackages } from './installed-packages.ts';
import { differenceOf, type ModuleDifference, type ModuleFacts } from './module-facts.ts';
import { readModule } from './module-reader.ts';
import { ModuleFormats, SpecifierMatch } from './module-resolution.ts';
import { filesReachedBy, isSeenNowhere, type ModuleCatalogue } from './name-reach.ts';
import { wholeText } from './skeleton.ts';
import { isTypeScript, loadParser, type Parser, type SyntaxTree } from './syntax-tree.ts';
import { bareSpecifiersIn, WordIndex } from './word-index.ts';

/** Access of the index to the disk. */
export interface DeclarationFiles {
  /**
   * Every file that a program of the workspace may contain, whatever its extension. If a file of a program is missing
   * here, it can pass a change on unnoticed.
   */
  list(signal: AbortSignal): Promise<readonly WorkspacePath[]>;
  /** Every configuration of the compiler and every manifest of a package. */
  listConfigs(signal: AbortSignal): Promise<readonly WorkspacePath[]>;
  /** The text at `path`, or undefined if there is no text file. */
  readText(path: WorkspacePath): string | undefined;
  readonly packages: Pick<InstalledPackages, 'find' | 'textOf' | 'renew'>;
}

export class DeclarationIndex {
  readonly #files: DeclarationFiles;
  readonly #refreshing = new FifoLock();
  readonly #words = new WordIndex();
  readonly #facts = new Map<WorkspacePath, ModuleFacts | undefined>();
  readonly #compared = new ComparedTexts();
  readonly #stale = new Set<WorkspacePath>();
  #configs: readonly WorkspacePath[] = [];
  /** Conclusions from the imports and the set of files, from configurations, manifests and installed packages. */
  #resolution: Resolution | undefined;
  #mustList = true;

  constructor(files: DeclarationFiles) {
    this.#files = files;
  }

  /** Reports changes on disk. An empty batch means that events were lost: everything is read again. */
  invalidate(events: readonly FileEvent[]): void {
    if (events.length === 0) {
      this.#mustList = true;
      for (const path of this.#words.files) this.#stale.add(path);
    }
    for (const { path, kind } of events) {
      if (isSource(path)) this.#stale.add(path);
      else if (kind === 'created') this.#mustList = true;
      else if (kind === 'deleted') this.#staleBelow(path);
      if (kind !== 'changed' || !isSource(path)) this.#forgetPaths();
    }
  }

  /** Updates the index ahead of the first request. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (!this.#mustList && this.#stale.size === 0 && !this.#refreshing.isHeld) return;
    using _turn = await this.#refreshing.acquire(signal);
    if (this.#mustList) await this.#list(signal);
    await this.#read([...this.#stale], signal);
  }

  /**
   * Which other files can see a difference between the texts before and after. `beneath` are the texts that other files have
   * on both sides, where these are not those of the disk; undefined for a removed file.
   */
  async prove(
    changes: ReadonlyMap<WorkspacePath, TextChange>,
    beneath: OverlayTexts,
    signal: AbortSignal,
  ): Promise<EditProof> {
    const parse = await loadParser();
    const edits = await readEdits(changes, this.#compared, parse);
    if (typeof edits === 'string') return { kind: 'none', why: edits };
    const differences = new Map([...edits].map(([path, { difference }]) => [path, difference]));
    const passing = [...changes].filter(isPassing);
    const namesOthers = [...differences.values()].some((difference) => difference.namesOtherModules);
    const condition = namesOthers || passing.length > 0 ? 'same-files' : 'none';
    // Most edits are invisible to other files: these are proved without reading any of them.
    if (passing.length === 0 && isSeenNowhere(differences, edits)) return { kind: 'declarations', condition };
    await this.refresh(signal);
    if (this.#files.packages.renew()) this.#forgetPaths();
    const created = passing.flatMap(([path, { after }]): [WorkspacePath, string][] =>
      after === undefined ? [] : [[path, after]],
    );
    const shown = created.length === 0 ? beneath : new Map([...beneath, ...created]);
    const resolution = this.#resolutionOver(shown);
    const found = passing.find(([path, { before: old }]) => {
      const texts = new Map(shown);
      // On the side on which the file is missing.
      for (const [each, { before, after }] of changes) texts.set(each, old === undefined ? before : after);
      return mayBeReferredTo(path, {
        others: this.#words.files,
        configs: [...new Set([...this.#configs, ...[...shown.keys()].filter(isConfig)])].map((config) =>
          shown.has(config) ? (shown.get(config) ?? '{}') : (this.#files.readText(config) ?? ''),
        ),
        specifiers: resolution.specifiers,
        textsHolding: (name) => this.#textsHolding(name, texts, parse),
      });
    });
    if (found) return { kind: 'none', why: `${found[0]} comes or goes where other files may look for it` };
    const modules = this.#catalogue(edits, { beneath: shown, resolution }, parse);
    const reached = filesReachedBy(differences, modules, 'declarations');
    if (typeof reached === 'string') return { kind: 'none', why: reached };
    const files = [...reached].filter((path) => !changes.has(path)).sort(comparePaths);
    if (files.length === 0) return { kind: 'declarations', condition };
    const names = filesReachedBy(differences, modules, 'names');
    const direct = typeof names === 'string' ? [] : files.filter((path) => names.has(path));
    return { kind: 'names', files, direct, condition };
  }

  /** Whether the texts differ only in comments and blanks. */
  async keepsTokens(changes: ReadonlyMap<WorkspacePath, TextChange>): Promise<boolean> {
    const parse = await loadParser();
    const edits = await readEdits(changes, this.#compared, parse);
    if (typeof edits === 'string') return false;
    return [...edits].every(([path, { difference }]) => {
      const { before = '', after = '' } = changes.get(path) ?? {};
      const compare = () => haveSameTokens(parse(path, before), parse(path, after));
      return difference.changed.size === 0 && walked(compare, false);
    });
  }

  /** The texts that may refer to a file by a name, on the side of the change on which `texts` replace those of the disk. */
  *#textsHolding(name: string, texts: OverlayTexts, parse: Parser): Iterable<ReferringText> {
    for (const [path, text] of texts)
      if (text !== undefined && isSource(path)) yield { path, text, facts: factsIn(path, text, parse) };
    for (const path of this.#words.filesHolding(name)) {
      const text = this.#files.readText(path);
      if (text !== undefined && !texts.has(path)) yield { path, text, facts: this.#factsOf(path, parse) };
    }
  }

  #catalogue(
    edits: ReadonlyMap<WorkspacePath, FileEdit>,
    { beneath, resolution }: { readonly beneath: OverlayTexts; readonly resolution: Resolution },
    parse: Parser,
  ): ModuleCatalogue {
    const { specifiers, formats, usingDependents } = resolution;
    const shown = [...beneath.keys()].filter(isSource);
    const others = shown.filter((path) => beneath.get(path) !== undefined);
    // The words of a text beneath are not indexed: it is looked at always.
    const withShown = (files: Iterable<WorkspacePath>): ReadonlySet<WorkspacePath> => {
      const found = new Set(files);
      for (const path of shown) found.delete(path);
      for (const path of [...others, ...edits.keys()]) found.add(path);
      return found;
    };
    const shownFacts = new Map<WorkspacePath, ModuleFacts | undefined>();
    const factsBeneath = (path: WorkspacePath): ModuleFacts | undefined => {
      if (!shownFacts.has(path)) shownFacts.set(path, factsIn(path, beneath.get(path), parse));
      return shownFacts.get(path);
    };
    return {
      factsOf: (path) => {
        const edit = edits.get(path);
        if (edit) return [edit.before, edit.after];
        const facts = beneath.has(path) ? factsBeneath(path) : this.#factsOf(path, parse);
        return facts ? [facts] : [];
      },
      filesNaming: (name) => withShown(this.#words.filesNaming(name)),
      filesPassingOn: () => withShown(this.#words.filesPassingOn()),
      filesTakingDefault: () => withShown(this.#words.filesTakingDefault()),
      filesTakingAll: () => withShown(this.#words.filesTakingAll()),
      mayBe: (importer, specifier, file) => specifiers.mayBe(importer, specifier, file),
      mayBeItsOwnDefault: (importer, file) => formats.mayBeItsOwnDefault(importer, file),
      filesUsingDependents: () => usingDependents,
    };
  }

  /** How specifiers lead to files. What is concluded from the disk alone is kept. */
  #resolutionOver(beneath: OverlayTexts): Resolution {
    if (beneath.size > 0) return this.#resolve(beneath);
    this.#resolution ??= this.#resolve(beneath);
    return this.#resolution;
  }

  #resolve(beneath: OverlayTexts): Resolution {
    const textAt = (path: WorkspacePath) =>
      beneath.has(path) ? beneath.get(path) : this.#files.readText(path);
    const shown = [...beneath.keys()].filter((path) => beneath.get(path) !== undefined);
    const isUnchanged = (path: WorkspacePath) => !beneath.has(path);
    const configs = [...this.#configs.filter(isUnchanged), ...shown.filter(isConfig)];
    const bare = new BareSpecifiers({
      configs: new Map(configs.map((path) => [path, textAt(path)])),
      packages: this.#files.packages,
      readText: textAt,
      sources: [...[...this.#words.files].filter(isUnchanged), ...shown.filter(isSource)],
    });
    const specifiersIn = [...this.#words.bareSpecifiers].filter(([path]) => isUnchanged(path));
    const shownIn = shown
      .filter(isSource)
      .map((path) => [path, bareSpecifiersIn(textAt(path) ?? '')] as const);
    return {
      specifiers: new SpecifierMatch({
        exists: (path) =>
          beneath.has(path as WorkspacePath)
            ? textAt(path as WorkspacePath) !== undefined
            : this.#exists(path),
        isFile: (path) => textAt(path as WorkspacePath) !== undefined,
        bare,
      }),
      formats: new ModuleFormats(textAt),
      usingDependents: bare.dependentsIn([...specifiersIn, ...shownIn]),
    };
  }

  #factsOf(path: WorkspacePath, parse: Parser): ModuleFacts | undefined {
    if (this.#facts.has(path)) return this.#facts.get(path);
    const facts = factsIn(path, this.#files.readText(path), parse);
    this.#facts.set(path, facts);
    return facts;
  }

  /** Sources are known from the list; otherwise only manifests are looked up. */
  #exists(path: string): boolean {
    const found = path as WorkspacePath;
    return isSource(path) ? this.#words.has(found) : this.#files.readText(found) !== undefined;
  }

  /** Finds created and deleted files; known ones are not read again. */
  async #list(signal: AbortSignal): Promise<void> {
    this.#mustList = false;
    try {
      const listed = new Set((await this.#files.list(signal)).filter(isSource));
      this.#configs = await this.#files.listConfigs(signal);
      for (const path of listed) if (!this.#words.has(path)) this.#stale.add(path);
      for (const path of this.#words.files) if (!listed.has(path)) this.#stale.add(path);
      this.#forgetPaths();
    } catch (thrown) {
      this.#mustList = true;
      throw thrown;
    }
  }

  async #read(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<void> {
    for (let start = 0; start < paths.length; start += readsAtOnce) {
      if (start > 0) await setImmediate(undefined, { signal });
      for (const path of paths.slice(start, start + readsAtOnce)) {
        // Read first: a file that cannot be read stays stale, and the failure is thrown to the caller.
        const text = this.#files.readText(path);
        this.#stale.delete(path);
        this.#facts.delete(path);
        const imported = this.#words.specifiersOf(path);
        this.#words.update(path, text);
        if (imported !== this.#words.specifiersOf(path)) this.#forgetPaths();
      }
    }
  }

  /** Drops conclusions from the set of files and from manifests. */
  #forgetPaths(): void {
    this.#resolution = undefined;
  }

  /** If a directory is deleted, the system may report only the directory and not its files. */
  #staleBelow(directory: WorkspacePath): void {
    for (const path of this.#words.files) if (path.startsWith(`${directory}/`)) this.#stale.add(path);
  }
}

/** Whether a file comes or goes. */
function isPassing([, { before, after }]: readonly [WorkspacePath, TextChange]): boolean {
  return (before === undefined) !== (after === undefined);
}

interface Resolution {
  readonly specifiers: SpecifierMatch;
  readonly formats: ModuleFormats;
  /** Files that import from libraries whose own types come from the workspace, with the specifiers of these. */
  readonly usingDependents: ReadonlyMap<WorkspacePath, ReadonlySet<string>>;
}

interface FileEdit {
  readonly before: ModuleFacts;
  readonly after: ModuleFacts;
  readonly difference: ModuleDifference;
}

/**
 * The edits, or in words why any file may be affected. A file that comes or goes is compared with an empty module, which is what
 * it is to files that do not refer to it.
 */
async function readEdits(
  changes: ReadonlyMap<WorkspacePath, TextChange>,
  texts: ComparedTexts,
  parse: Parser,
): Promise<ReadonlyMap<WorkspacePath, FileEdit> | string> {
  const edits = new Map<WorkspacePath, FileEdit>();
  for (const [path, change] of changes) {
    if (change.before === change.after) continue;
    if (!isTypeScript(path) || path.includes('node_modules/'))
      return `${path} is no TypeScript of the workspace: what others take from it cannot be told`;
    const edit = await readEdit(path, change, texts, parse);
    if (typeof edit === 'string') return `${path}: ${edit}`;
    edits.set(path, edit);
  }
  return edits;
}

async function readEdit(
  path: WorkspacePath,
  { before = emptyModule, after = emptyModule }: TextChange,
  texts: ComparedTexts,
  parse: Parser,
): Promise<FileEdit | string> {
  const [old, young] = [await texts.read(path, before, parse), await texts.read(path, after, parse)];
  if (old === tooDeep || young === tooDeep) return tooDeep;
  if (!old || !young) return `the text ${old ? 'after' : 'before'} the edit does not parse`;
  const difference = walked(() => differenceOf(old.facts, young.facts), tooDeep);
  if (typeof difference === 'string') return difference;
  return { before: old.facts, after: young.facts, difference };
}

const emptyModule = 'export {};\n';

/** A text read to be compared with another one. */
interface TextWithFacts {
  readonly text: string;
  readonly facts: ModuleFacts;
}
type ComparedText = TextWithFacts | typeof tooDeep | undefined;

/** The texts compared last: most evaluations compare with the same text of the disk, and each compares more than once. */
class ComparedTexts {
  readonly #read = new Map<WorkspacePath, readonly TextWithFacts[]>();

  /** Undefined if the text does not parse. */
  async read(path: WorkspacePath, text: string, parse: Parser): Promise<ComparedText> {
    const known = this.#read.get(path)?.find((each) => each.text === text);
    const found = known ?? (await readCompared(path, text, parse));
    // A generated file of many megabytes is read anew rather than kept three times.
    if (!found || found === tooDeep || text.length > longestKept) return found;
    const others = (this.#read.get(path) ?? []).filter((each) => each.text !== text);
    this.#read.delete(path);
    this.#read.set(path, [found, ...others].slice(0, textsOfAFile));
    const [eldest] = this.#read.keys();
    if (eldest !== undefined && this.#read.size > filesCompared) this.#read.delete(eldest);
    return found;
  }
}

async function readCompared(path: WorkspacePath, text: string, parse: Parser): Promise<ComparedText> {
  const tree = walked(() => parse(path, text), tooDeep);
  if (tree === undefined || tree === tooDeep) return tree;
  // A server may have read the edit meanwhile, and waits for the next question.
  await setImmediate();
  return walked(() => ({ text, facts: readModule(tree, text, 'comparison') }), tooDeep);
}

const textsOfAFile = 3; // The text of the disk, one before it and one after it.
const filesCompared = 16;
const longestKept = 200_000;
const tooDeep = 'it is nested too deeply to be read';

/** The result of a tree walk, or `otherwise` if the tree is deeper than the stack: thousands of operators in a row. */
function walked<Found, Otherwise>(walk: () => Found, otherwise: Otherwise): Found | Otherwise {
  try {
    return walk();
  } catch (thrown) {
    if (thrown instanceof RangeError) return otherwise;
    throw thrown;
  }
}

function haveSameTokens(before: SyntaxTree | undefined, after: SyntaxTree | undefined): boolean {
  return before !== undefined && after !== undefined && wholeText(before) === wholeText(after);
}

function factsIn(path: WorkspacePath, text: string | undefined, parse: Parser): ModuleFacts | undefined {
  const tree = text === undefined ? undefined : parse(path, text);
  return tree && text !== undefined ? walked(() => readModule(tree, text, 'search'), undefined) : undefined;
}

function isConfig(path: string): boolean {
  return isConfigFile('ecmascript', path) && !path.includes('node_modules/');
}

function isSource(path: string): boolean {
  return sourceExtensions('ecmascript').has(suffixOf(path));
}

const readsAtOnce = 64;
