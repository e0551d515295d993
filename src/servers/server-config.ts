/**
 * Servers named by a user on the command line or in a configuration file.
 *
 * Invariant: the result is a definition like those of the catalogue and includes everything the catalogue knows of
 * the same binary; the user's values override the catalogue's.
 */
import { z } from 'zod';
import { Failure, messageOf } from '../base/failure.ts';
import { present } from '../base/present.ts';
import { assumedServer, knownServer } from './catalogue.ts';
import { type LanguageId, languageId, languageOf, languages } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';

export class InvalidServerSpec extends Failure {
  readonly code = 'servers/invalid-spec';
  readonly remedy =
    'Name a server as language:binary or language:binary,arg1,arg2, e.g. go:gopls,-rpc.trace.';
}

export class InvalidServerConfig extends Failure {
  readonly code = 'servers/invalid-config';
  readonly remedy = 'Write {"servers":[{"extensions":["go"],"command":["gopls"],"language_id":"go"}]}.';
}

/** Reads `language:binary[,arg…]`. */
export function parseServerSpec(spec: string): ServerDefinition {
  const colon = spec.indexOf(':');
  if (colon <= 0) {
    throw new InvalidServerSpec(`invalid argument "${spec}": expected format language-id:binary[,args...]`);
  }
  const [binary = '', ...args] = spec.slice(colon + 1).split(',');
  if (binary.trim() === '') throw new InvalidServerSpec(`invalid argument "${spec}": binary path is empty`);
  const language = languageId(spec.slice(0, colon));
  // An unknown language is taken as the extension of its files.
  const extensions = languages.has(language) ? {} : { extensions: [language.toLowerCase()] };
  return { ...serverOf(language, [binary, ...args]), ...extensions };
}

/**
 * Reads several specifications. A server also serves the other languages it is known for, unless another server was
 * named for them: `c:clangd` is enough for a workspace that contains C++ as well.
 */
export function parseServerSpecs(specs: readonly string[]): readonly ServerDefinition[] {
  const named = specs.map(parseServerSpec);
  const taken = new Set(named.flatMap((definition) => definition.languages));
  const widened = named.map((definition) => {
    const spoken =
      knownServer(definition.command)?.languages.filter((language) => !taken.has(language)) ?? [];
    for (const language of spoken) taken.add(language);
    return { ...definition, languages: [...definition.languages, ...spoken] };
  });
  return nameApart(widened);
}

/** Reads the text of a configuration file: `{"servers":[…]}`. */
export function parseServerConfig(text: string): readonly ServerDefinition[] {
  const read = configSchema.safeParse(parseJson(text));
  if (!read.success)
    throw new InvalidServerConfig(`invalid server configuration: ${z.prettifyError(read.error)}`);
  return nameApart(read.data.servers.map(fromEntry));
}

/**
 * Merges servers named by a user into the detected ones. For a language that has a server, the named server replaces
 * it; other named servers are appended.
 */
export function mergeServers(
  base: readonly ServerDefinition[],
  named: readonly ServerDefinition[],
): readonly ServerDefinition[] {
  let merged = [...base];
  for (const definition of named) {
    const isTaken = (language: LanguageId) => definition.languages.includes(language);
    const place = merged.findIndex((each) => each.languages.some(isTaken));
    if (place < 0) {
      merged.push(definition);
      continue;
    }
    merged.splice(place, 0, definition);
    merged = merged
      .map((each) =>
        each === definition ? each : { ...each, languages: each.languages.filter((id) => !isTaken(id)) },
      )
      .filter((each) => each === definition || each.languages.length > 0);
  }
  return nameApart(merged);
}

const serverEntry = z.object({
  extensions: z.array(z.string()).default([]),
  command: z
    .array(z.string())
    .min(1)
    .refine(([program]) => program?.trim() !== '', 'binary path is empty'),
  language_id: z.string().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  initializationOptions: z.unknown().optional(),
  settings: z.unknown().optional(),
  root_markers: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  timeout_ms: z.number().int().positive().optional(),
});

const configSchema = z.object({ servers: z.array(serverEntry) });

function fromEntry(entry: z.infer<typeof serverEntry>): ServerDefinition {
  const extensions = entry.extensions.map((extension) => extension.replace(/^\./, '').toLowerCase());
  const [first] = extensions;
  const inferred = first === undefined ? undefined : (languageOf(`file.${first}`) ?? languageId(first));
  const language = entry.language_id === undefined ? inferred : languageId(entry.language_id);
  const said = {
    extensions: extensions.length > 0 ? extensions : undefined,
    env: entry.env,
    initializationOptions: entry.initializationOptions,
    settings: entry.settings,
    rootMarkers: entry.root_markers,
    cwd: entry.cwd,
    timeoutMs: entry.timeout_ms,
  };
  const definition = serverOf(language ?? languageId('plaintext'), entry.command);
  return {
    ...definition,
    ...present(said),
    // The user's settings stay as they are.
    ...(entry.settings !== undefined && { suggestionSettings: undefined }),
    languages: language === undefined ? [] : [language],
  };
}

function serverOf(language: LanguageId, command: readonly string[]): ServerDefinition {
  const known = knownServer(command);
  return known ? { ...known, languages: [language] } : assumedServer(language, command);
}

/**
 * Servers are identified by name, so a second server of the same name gets the language it was named for as a suffix.
 */
function nameApart(definitions: readonly ServerDefinition[]): readonly ServerDefinition[] {
  const names = new Set<string>();
  return definitions.map((definition) => {
    const candidates = [definition.name, ...definition.languages.map((id) => `${definition.name}-${id}`)];
    const name = candidates.find((each) => !names.has(each)) ?? `${definition.name}-${names.size}`;
    names.add(name);
    return name === definition.name ? definition : { ...definition, name };
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidServerConfig(`the server configuration is not valid JSON: ${messageOf(cause)}`, {
      cause,
    });
  }
}
