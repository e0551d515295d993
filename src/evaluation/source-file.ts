/** Which files a language server may read as part of a program. */
import { isConfigFile, type ReachFamily, sourceExtensions, suffixOf } from '../graph/reach/reach-family.ts';
import { isData, isIrrelevantToServers } from '../servers/file-relevance.ts';
import { languageOf } from '../servers/language.ts';

const families: readonly ReachFamily[] = ['ecmascript', 'python', 'go', 'c', 'crate'];

/** Whether a file with this name is part of a program: written in a language, or a configuration of its compiler. */
export function isSource(path: string): boolean {
  const isCode = languageOf(path) !== undefined && !isData(path) && !isIrrelevantToServers(path);
  return isCode || families.some((family) => isConfigFile(family, path));
}

/** Whether a server that answered for one of `others` may read the file too. */
export function isReadWith(path: string, others: readonly string[]): boolean {
  const languages = new Set(others.map((other) => languageOf(other)));
  const language = languageOf(path);
  if (language !== undefined && languages.has(language)) return true;
  return families.some((family) => {
    const extensions = sourceExtensions(family);
    const isOfFamily = extensions.has(suffixOf(path)) || isConfigFile(family, path);
    return isOfFamily && others.some((other) => extensions.has(suffixOf(other)));
  });
}
