/**
 * Which server is responsible for a file.
 *
 * Invariant: the order of the definitions decides, and a file that no definition serves has no server.
 */
import { extensionOf, languageOf } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';

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
