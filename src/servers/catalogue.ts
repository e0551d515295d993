/**
 * Every known language server, as data.
 *
 * Invariant: names are unique, and of two servers for one language the preferred one comes first.
 */
import { basename } from 'node:path';
import { dataServers } from './catalogue/data.ts';
import { ecmascriptServers } from './catalogue/ecmascript.ts';
import { defineServer } from './catalogue/entry.ts';
import { managedServers } from './catalogue/managed.ts';
import { nativeServers } from './catalogue/native.ts';
import { pythonServers } from './catalogue/python.ts';
import { scriptingServers } from './catalogue/scripting.ts';
import type { LanguageId } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';

export const serverCatalogue: readonly ServerDefinition[] = [
  ...ecmascriptServers,
  ...pythonServers,
  ...nativeServers,
  ...managedServers,
  ...scriptingServers,
  ...dataServers,
].sort((a, b) => b.preference - a.preference);

/** The servers for a language, the preferred one first. */
export function serversFor(language: LanguageId): readonly ServerDefinition[] {
  return serverCatalogue.filter((definition) => definition.languages.includes(language));
}

/**
 * The row a command belongs to, by its name or its binary, with that command in it; undefined if there is none. A row
 * called by its own name keeps its own command.
 */
export function knownServer(command: readonly string[]): ServerDefinition | undefined {
  const [program = '', ...args] = command;
  const byName = serverCatalogue.find((definition) => definition.name === program && args.length === 0);
  if (byName && byName.command[0] !== program) return byName;
  const byBinary = serverCatalogue.find((definition) => isCalled(definition, program, args));
  if (byBinary === undefined) return undefined;
  const { embedded: _, binaryNames: __, ...row } = byBinary;
  return { ...row, command };
}

/** The definition assumed for a server that is not in the catalogue. */
export function assumedServer(language: LanguageId, command: readonly string[]): ServerDefinition {
  const binary = basename(command[0] ?? '');
  return defineServer({
    name: `${language}-${binary}`,
    languages: [language],
    command,
    executes: 'workspace-code',
    installHint: `Install ${binary}, or name the path of its binary.`,
  });
}

function isCalled(definition: ServerDefinition, program: string, args: readonly string[]): boolean {
  const binary = basename(program).replace(/\.(exe|cmd)$/i, '');
  const [known = ''] = definition.command;
  // The TypeScript 7 compiler is a server only with `--lsp`.
  if (known === 'tsc' && binary === 'tsc') return args.includes('--lsp');
  return [known, ...(definition.binaryNames ?? [])].includes(binary);
}
