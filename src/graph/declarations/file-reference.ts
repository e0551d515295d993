/**
 * Which files may refer to a file that comes or goes.
 *
 * A specifier finds a file by its name, or by a configuration that holds the name: only files with all words of the name in their
 * text are looked at.
 *
 * Invariant: a file whose imports resolve differently when the file comes or goes is found, or nothing is said.
 */
import { fieldOf } from '../../base/record.ts';
import { baseName, parentOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { withoutSourceExtension } from '../reach/keys/ecmascript-path.ts';
import { parseLooseJson, stringsIn } from '../reach/keys/loose-json.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { SpecifierMatch } from './module-resolution.ts';

/** A text with what it declares; absent facts if it does not parse. */
export interface ReferringText {
  readonly path: WorkspacePath;
  readonly text: string;
  readonly facts: Pick<ModuleFacts, 'specifiers' | 'dialect'> | undefined;
}

/** The workspace on the side of a change on which a file is missing. */
export interface Referrers {
  /** All sources. */
  readonly others: Iterable<WorkspacePath>;
  /** The texts of configurations and manifests. */
  readonly configs: readonly string[];
  /** How specifiers lead to files where the file is there. */
  readonly specifiers: Pick<SpecifierMatch, 'extendNames' | 'mayFind'>;
  /** The texts that may hold all words of a name. */
  textsHolding(name: string): Iterable<ReferringText>;
}

/** Whether an import may resolve to the file when it is there. */
export function mayBeReferredTo(
  file: WorkspacePath,
  { others, configs, specifiers, textsHolding }: Referrers,
): boolean {
  const directory = `${parentOf(file)}/`;
  const name = soughtName(file, ![...others].some((path) => path.startsWith(directory)));
  if (name === undefined || specifiers.extendNames) return true;
  if (configs.some((config) => mayMap(config, name))) return true;
  const mayRefer: MayRefer = (importer, specifier) =>
    specifier.includes(name) && specifiers.mayFind(importer, specifier, file);
  for (const each of textsHolding(name)) if (refers(each, mayRefer)) return true;
  return false;
}

/** Whether a specifier may refer to the file. */
type MayRefer = (importer: WorkspacePath, specifier: string) => boolean;

function refers({ path, text, facts }: ReferringText, mayRefer: MayRefer): boolean {
  if (facts === undefined || facts.dialect === 'javascript') return textRefers(path, text, mayRefer);
  return [...facts.specifiers, ...referencesIn(text)].some((specifier) => mayRefer(path, specifier));
}

/**
 * What a specifier must contain to find the file by its name; undefined if there are other ways. `isNewDirectory` says whether
 * nothing else lies in its directory, where a name is that of the directory.
 */
export function soughtName(file: WorkspacePath, isNewDirectory: boolean): string | undefined {
  if (isImplied.test(file)) return undefined;
  const name = baseName(withoutSourceExtension(file)).replace(/\.d\.[^.]+$/, '');
  if (name !== 'index') return name;
  const directory = parentOf(file);
  return isNewDirectory && directory !== rootPath ? baseName(directory) : undefined;
}

/** Specifiers of helpers and of JSX are in no text. */
const isImplied = /(?:^|\/)(?:tslib|jsx-(?:dev-)?runtime)\b/;

/** Whether the text of a configuration or manifest may give the name to specifiers that do not contain it. */
export function mayMap(config: string, name: string): boolean {
  const rules = rulesIn(config);
  if (rules === undefined || isPartialPattern.test(rules)) return true;
  const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`[/"]${quoted}(?:\\.[\\w.]+)?"`).test(rules);
}

/** The values that say what specifiers find, as one text; undefined if they cannot be read. */
function rulesIn(config: string): string | undefined {
  try {
    const parsed = parseLooseJson(config);
    // A configuration of another name is not among those that are looked at.
    if (stringsIn(fieldOf(parsed, 'extends')).some(isUnlisted)) return undefined;
    const options = fieldOf(parsed, 'compilerOptions');
    const values = [
      ...manifestFields.map((name) => fieldOf(parsed, name)),
      ...optionFields.map((name) => fieldOf(options, name)),
    ];
    return JSON.stringify(values);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** Whether an extended configuration lies in the workspace under a name of its own. */
function isUnlisted(target: string): boolean {
  return /^\.\.?\//.test(target) && !/(?:^|\/)tsconfig\b[^/]*\.json$/.test(target);
}

const manifestFields = [
  'main',
  'module',
  'browser',
  'types',
  'typings',
  'exports',
  'imports',
  'typesVersions',
];
const optionFields = ['paths', 'rootDirs', 'types', 'typeRoots', 'jsxImportSource', 'plugins'];

/** A pattern by which a specifier holds a part of a name only. */
const isPartialPattern = /[\w$-]\*|\*[\w$-]/;

/** By every string of a text, for those whose specifiers are not known. */
function textRefers(importer: WorkspacePath, text: string, mayRefer: MayRefer): boolean {
  if (writesEscaped(text)) return true;
  const strings = [...text.matchAll(quotedString)].map(([, , string = '']) => string);
  const referenced = strings.flatMap((string) =>
    /^[\w@]/.test(string) ? [`./${string}`, string] : [string],
  );
  return [...new Set(referenced)].some((specifier) => mayRefer(importer, specifier));
}

const quotedString = /(['"`])((?:(?!\1)[^\n\\])+)\1/g;

/** The paths of `/// <reference path>`, as relative specifiers. */
function referencesIn(text: string): readonly string[] {
  const paths = [...text.matchAll(/<reference\s+path\s*=\s*['"]([^'"\n]+)['"]/g)].map(
    ([, path = '']) => path,
  );
  return paths.map((path) => (/^\.\.?\//.test(path) ? path : `./${path}`));
}

/** Whether a specifier may be written with escapes, which hide the words of a name. */
export function writesEscaped(text: string): boolean {
  return (text.includes('\\u') || text.includes('\\x')) && escapedSpecifier.test(text);
}

// No two parts of it match the same blanks: a text of a stranger may have any number of them.
const escapedSpecifier =
  /\b(?:from|import|require|module)\s*(?:\(\s*)?(?:\/\*[^*]*\*\/\s*)?['"`][^'"`\n]*\\[ux]/;
