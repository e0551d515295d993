/**
 * Detects the languages of a workspace, by weight, and the servers installed on this machine.
 *
 * Invariant: detection reads and probes; it starts no server and changes nothing. In an untrusted workspace it
 * executes no file that the workspace supplies.
 */
import { basename } from 'node:path';
import { listFiles } from '../workspace/file-walk.ts';
import { howToTrust } from '../workspace/trust-remedy.ts';
import { Workspace } from '../workspace/workspace.ts';
import { serverCatalogue, serversFor } from './catalogue.ts';
import { type LanguageId, languageId, languageOf } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';
import { type DetectedServer, locateServer, type SearchPlaces, type Withheld } from './server-location.ts';

/** The result of a search over the catalogue. */
export interface ServerDetection {
  /** The installed servers, the preferred one for a language first. */
  readonly servers: readonly DetectedServer[];
  /** Programs that an untrusted workspace offers; found by name, not executed. */
  readonly withheld: readonly Withheld[];
}

export function detectServers(places: SearchPlaces, signal: AbortSignal): Promise<ServerDetection> {
  return locateAll(serverCatalogue, places, signal);
}

/** The result of the tool `detect_lsp_servers`, in its wire names. */
export interface WorkspaceDetection {
  readonly workspace_dir: string;
  readonly workspace_languages: readonly string[];
  readonly installed_servers: readonly InstalledServer[];
  readonly suggested_config: readonly string[];
  readonly not_installed?: readonly string[];
  readonly untrusted?: UntrustedNote;
}

/** What was not used because the workspace is not trusted, in wire names. */
export interface UntrustedNote {
  readonly not_used: readonly string[];
  readonly how_to_trust: string;
}

/** An empty object if nothing was withheld. */
export function untrustedNote(
  root: string,
  withheld: readonly Withheld[],
): { readonly untrusted?: UntrustedNote } {
  if (withheld.length === 0) return {};
  const paths = [...new Set(withheld.map(({ path }) => path))];
  return { untrusted: { not_used: paths, how_to_trust: howToTrust(root) } };
}

interface InstalledServer {
  readonly language: string;
  readonly server: string;
  readonly path: string;
  readonly config_entry: string;
}

export async function detectWorkspace(
  places: SearchPlaces,
  signal: AbortSignal,
): Promise<WorkspaceDetection> {
  const { workspaceDir } = places;
  const languages = await rankLanguages(workspaceDir, signal);
  const wanted = serverCatalogue.filter((definition) =>
    definition.languages.some((each) => languages.includes(each)),
  );
  const { servers, withheld } = await locateAll(wanted, places, signal);
  return { ...describeDetection(workspaceDir, languages, servers), ...untrustedNote(workspaceDir, withheld) };
}

/** The languages of the tree, heaviest first, then by name. A root marker counts as fifty files. */
export async function rankLanguages(
  workspaceDir: string,
  signal: AbortSignal,
): Promise<readonly LanguageId[]> {
  const scores = new Map<LanguageId, number>();
  const add = (language: LanguageId, points: number) =>
    void scores.set(language, (scores.get(language) ?? 0) + points);
  const workspace = await Workspace.open(workspaceDir);
  for (const path of await listFiles(workspace, { rule: 'unignored' }, signal)) {
    const marked = languageOfMarker.get(basename(path));
    if (marked !== undefined) add(languageId(marked), 50);
    const language = languageOf(path);
    if (language !== undefined) add(language, 1);
  }
  return [...scores]
    .sort(([aName, a], [bName, b]) => b - a || (aName < bName ? -1 : 1))
    .map(([language]) => language);
}

/**
 * Matches the detected servers with the languages: the first server for each language, and the languages without one.
 */
export function describeDetection(
  workspaceDir: string,
  languages: readonly LanguageId[],
  servers: readonly DetectedServer[],
): WorkspaceDetection {
  const installed: InstalledServer[] = [];
  const suggested = new Map<string, string>();
  const missing: string[] = [];
  for (const language of languages) {
    const found = servers.find(({ definition }) => definition.languages.includes(language));
    if (found) {
      const entry = configEntry(language, found);
      installed.push({
        language,
        server: serverName(found.definition),
        path: found.path,
        config_entry: entry,
      });
      if (!suggested.has(found.path)) suggested.set(found.path, entry);
    } else {
      const [first] = serversFor(language);
      if (first) missing.push(`${language} (${serverName(first)})`);
    }
  }
  return {
    workspace_dir: workspaceDir,
    workspace_languages: languages,
    installed_servers: installed,
    suggested_config: [...suggested.values()],
    ...(missing.length > 0 && { not_installed: missing }),
  };
}

/** The entry as written on the command line; an embedded server has no binary and is named by its own name. */
function configEntry(language: LanguageId, { definition, origin, path }: DetectedServer): string {
  if (origin === 'embedded') return `${language}:${definition.name}`;
  const binary = origin === 'workspace' ? path : basename(path);
  return `${language}:${[binary, ...definition.command.slice(1)].join(',')}`;
}

function serverName(definition: ServerDefinition): string {
  return definition.embedded === undefined ? (definition.command[0] ?? definition.name) : definition.name;
}

async function locateAll(
  definitions: readonly ServerDefinition[],
  places: SearchPlaces,
  signal: AbortSignal,
): Promise<ServerDetection> {
  const located = await Promise.all(definitions.map((each) => locateServer(each, places, signal)));
  return {
    servers: located.flatMap(({ found }) => found ?? []),
    withheld: located.flatMap(({ withheld }) => withheld),
  };
}

const languageOfMarker: ReadonlyMap<string, string> = new Map(
  Object.entries({
    go: ['go.mod', 'go.sum'],
    typescript: ['package.json', 'tsconfig.json'],
    javascript: ['jsconfig.json'],
    rust: ['Cargo.toml', 'Cargo.lock'],
    python: ['pyproject.toml', 'requirements.txt', 'setup.py', 'Pipfile'],
    java: ['pom.xml', 'build.gradle'],
    kotlin: ['build.gradle.kts', 'settings.gradle.kts'],
    ruby: ['Gemfile'],
    php: ['composer.json'],
    dockerfile: ['Dockerfile', 'dockerfile'],
    zig: ['build.zig'],
    swift: ['Package.swift'],
    scala: ['build.sbt'],
  }).flatMap(([language, names]) => names.map((name) => [name, language] as const)),
);
