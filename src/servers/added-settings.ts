/**
 * The settings that the user has for a server with ours added, in a directory of our cache that the server reads instead.
 *
 * Invariant: what the user has set is kept, and read again at each start.
 */
import { dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { cachePlaces } from '../storage/own-places.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { applicationsDirectory, cacheDirectory, makePrivateDirectory } from '../storage/user-directories.ts';
import { textAt } from '../workspace/text-at.ts';
import type { ServerDefinition } from './server-definition.ts';

/** The variable that leads the server there. Other systems than Linux do not read it, and the settings stay the user's. */
export async function addedSettings(
  { name, addedSettings: added }: ServerDefinition,
  { env, inherited }: { readonly env: Environment; readonly inherited: Environment },
): Promise<Readonly<Record<string, string>>> {
  if (added === undefined || process.platform !== 'linux') return {};
  const directory = join(cachePlaces.serverSettings(cacheDirectory(env)), name);
  const file = join(directory, added.file);
  const own = textAt(join(applicationsDirectory(inherited), added.file));
  const text = own === undefined ? added.text : `${own}\n---\n${added.text}`;
  makePrivateDirectory(dirname(file));
  if (textAt(file) !== text) await replaceFile(file, text);
  return { [added.variable]: directory };
}
