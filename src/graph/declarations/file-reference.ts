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
import { parseLooseJson } from '../reach/keys/loose-json.ts';

/** Whether a specifier may refer to the file. */
export type MayRefer = (importer: WorkspacePath, specifier: string) => boolean;

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

/** As `refers`, by every string of a text: for texts whose specifiers are not known. */
export function textRefers(importer: WorkspacePath, text: string, mayRefer: MayRefer): boolean {
  if (writesEscaped(text)) return true;
  const strings = [...text.matchAll(quotedString)].map(([, , string = '']) => string);
  const referenced = strings.flatMap((string) =>
    /^[\w@]/.test(string) ? [`./${string}`, string] : [string],
  );
  return [...new Set(referenced)].some((specifier) => mayRefer(importer, specifier));
}

const quotedString = /(['"`])((?:(?!\1)[^\n\\])+)\1/g;

/** The paths of `/// <reference path>`, as relative specifiers. */
export function referencesIn(text: string): readonly string[] {
  const paths = [...text.matchAll(/<reference\s+path\s*=\s*['"]([^'"\n]+)['"]/g)].map(
    ([, path = '']) => path,
  );
  return paths.map((path) => (/^\.\.?\//.test(path) ? path : `./${path}`));
}

/** Whether a specifier may be written with escapes, which hide the words of a name. */
export function writesEscaped(text: string): boolean {
  return (text.includes('\\u') || text.includes('\\x')) && escapedSpecifier.test(text);
}

const escapedSpecifier = /\b(?:from|import|require|module)\s*\(?\s*(?:\/\*[^*]*\*\/\s*)?['"`][^'"`\n]*\\[ux]/;
