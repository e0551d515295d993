/**
 * Which server is responsible for a file, and which files a server's answers can depend on.
 *
 * Invariants: the order of the definitions decides who serves a file; one that no definition serves has no server. In doubt
 * a file is relevant: it is excluded only if no server of that kind reads such files.
 */
import { basename } from 'node:path';
import { isConfigFile, type ReachFamily } from '../graph/reach/reach-family.ts';
import { extensionOf, languageOf } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';

/** No server reads these files unless a source includes them, so a change to one needs no verdict of its own. */
export function isIrrelevantToServers(path: string): boolean {
  if (inertNames.has(basename(path).toLowerCase())) return true;
  if (!inertExtensions.has(extensionOf(path)) || languageOf(path) !== undefined) return false;
  return !configuredFamilies.some((family) => isConfigFile(family, path));
}

/** Whether a compiler or a server may take declarations from the file, although it is no text. */
export function isCompiled(path: string): boolean {
  // Versions may follow the name of a shared library.
  return compiledExtensions.has(extensionOf(path)) || /\.so(?:\.\d+)+$/.test(path);
}

/** Text that configures or describes: a server may read it, but the absence of errors in it is no verdict. */
export function isData(path: string): boolean {
  const language = languageOf(path);
  if (language !== undefined) return dataLanguages.has(language);
  if (dataExtensions.has(extensionOf(path)) || basename(path).startsWith('.')) return true;
  return configuredFamilies.some((family) => isConfigFile(family, path));
}

/** Whether a change to the file may alter what the server reports for any file, if no source includes it as data. */
export function affectsServer(definition: ServerDefinition, path: string): boolean {
  if (isBuildOutput(definition, path)) return false;
  if (serves(definition, path)) return true;
  if (isIrrelevantToServers(path)) return false;
  // A program in another language is irrelevant to this server; anything else may be configuration.
  return isConfigFile(definition.reach, path) || languageOf(path) === undefined || isData(path);
}

/** Whether sources of the server's languages can include any file, whatever its kind: `//go:embed`, `include_str!`, `#include`. */
export function includesAnyFile({ reach }: ServerDefinition): boolean {
  return reach === 'go' || reach === 'crate' || reach === 'c';
}

/** Whether a change to the file is shown to the server: if it affects the server, or if a source may include the file. */
export function isShownTo(definition: ServerDefinition, path: string): boolean {
  if (affectsServer(definition, path)) return true;
  return includesAnyFile(definition) && !isBuildOutput(definition, path);
}

/** Whether diagnostics are requested for the file; a compiler also reports errors in its configuration files. */
export function isAnsweredFor(definition: ServerDefinition, path: string): boolean {
  return serves(definition, path) || (definition.fullCheck !== undefined && isConfiguredBy(definition, path));
}

/**
 * Whether the path lies in the compiler's build directory. Changes are not shown there: build output could claim that
 * code was checked.
 */
function isBuildOutput({ fullCheck }: ServerDefinition, path: string): boolean {
  const name = fullCheck?.output === 'cargo-json' ? fullCheck.buildDirectory.name : undefined;
  return name !== undefined && (path === name || path.startsWith(`${name}/`));
}

/** Whether the file configures the server's languages, or can be imported by them as data. */
export function isImportedAsData(definition: ServerDefinition, path: string): boolean {
  if (serves(definition, path)) return false;
  return isConfiguredBy(definition, path) || (definition.reach === 'ecmascript' && /\.json$/i.test(path));
}

/** Whether the file configures the server's languages. */
export function isConfiguredBy(definition: ServerDefinition, path: string): boolean {
  return isConfigFile(definition.reach, path) && !isIrrelevantToServers(path);
}

/** Families whose configuration may have a name that looks like prose, such as `vendor/modules.txt` and `go.sum`. */
const configuredFamilies: readonly ReachFamily[] = ['go', 'c', 'python', 'crate', 'all'];

const inertExtensions: ReadonlySet<string> = new Set(
  'md markdown txt rst adoc png jpg jpeg gif svg webp ico pdf csv log lock sum snap map woff woff2 ttf'.split(
    ' ',
  ),
);

const compiledExtensions: ReadonlySet<string> = new Set(
  'a class dll dylib gch jar jmod klib lib mod node o obj pch pcm pdb pyc pyd rlib rmeta so swiftmodule tasty wasm whl winmd zip'.split(
    ' ',
  ),
);

const inertNames: ReadonlySet<string> = new Set([
  'license',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  '.gitignore',
  '.gitattributes',
  '.editorconfig',
  '.npmignore',
  '.dockerignore',
  '.prettierignore',
  '.eslintignore',
  'codeowners',
]);

const dataLanguages: ReadonlySet<string> = new Set(['json', 'yaml', 'css', 'html', 'dockerfile']);

const dataExtensions: ReadonlySet<string> = new Set('toml ini cfg conf properties xml env plist'.split(' '));

/** The first definition that serves the file at `path`; `firstLine` is used if the name is not recognised. */
export function routeFile(
  definitions: readonly ServerDefinition[],
  path: string,
  firstLine?: string,
): ServerDefinition | undefined {
  return definitions.find((definition) => serves(definition, path, firstLine));
}

/** Whether a server serves the file: by its own list of extensions, else by the file's language. */
export function serves(definition: ServerDefinition, path: string, firstLine?: string): boolean {
  if (definition.extensions?.includes(extensionOf(path))) return true;
  const language = languageOf(path, firstLine);
  if (language === undefined || !definition.languages.includes(language)) return false;
  // A list of extensions narrows the language, except for files recognised by name or first line.
  return definition.extensions === undefined || languageOf(`x.${extensionOf(path)}`) !== language;
}
