/**
 * The servers this process may use, and where they are on this machine.
 *
 * Invariant: of several servers for a language the first one found is used; for a language without one the failure
 * names the command that installs one.
 */
import { Failure } from '../base/failure.ts';
import type { Trust } from '../workspace/trust.ts';
import { howToTrust } from '../workspace/trust-remedy.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { serverCatalogue, serversFor } from './catalogue.ts';
import { routeFile } from './file-relevance.ts';
import { executablesNamed, searchPath } from './internal/executable-search.ts';
import { type LanguageId, languageOf } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';
import { locateServer, type Withheld } from './server-location.ts';

/** A server and the argument vector that starts it here. */
export interface LocatedServer {
  readonly definition: ServerDefinition;
  readonly command: readonly string[];
  /** Programs of the workspace that were not used because it is not trusted; absent: none. */
  readonly withheld?: readonly Withheld[];
}

/** A workspace, and whether programs it supplies may run. */
export interface TrustedPlace {
  readonly workspace: Workspace;
  readonly trust: Trust;
  /** The roots of folders added to the workspace; absent: there are none. */
  readonly folders?: readonly string[];
}

export interface RegisterOptions {
  /** Servers named by the user, in order of preference; `detect` uses the installed ones of the catalogue. */
  readonly definitions: readonly ServerDefinition[] | 'detect';
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Answers are kept for the paths that were asked about last. */
const keptPaths = 256;

type Holds = (definition: ServerDefinition, path: string) => boolean;

export class ServerRegister {
  readonly #options: RegisterOptions;
  readonly #located = new Map<string, Promise<LocatedServer>>();
  #byServer: readonly (readonly [ServerDefinition, LanguageId])[] | undefined;
  /** Answers of `languagesThat` by its question, which is about names alone; the definitions do not change. */
  readonly #holding = new WeakMap<Holds, Map<string, readonly LanguageId[]>>();

  constructor(options: RegisterOptions) {
    this.#options = options;
  }

  /** The language by which a file is routed; a file that no server recognises goes to the first one. */
  languageFor(path: string): LanguageId {
    const { definitions } = this.#options;
    const language = languageOf(path);
    if (definitions === 'detect') {
      // A row of the catalogue may have extensions that the language table does not have.
      const known = language ?? routeFile(serverCatalogue, path)?.languages[0];
      if (known !== undefined) return known;
      throw new NoServerForFile(path);
    }
    const definition = routeFile(definitions, path) ?? definitions[0];
    const known = definition?.languages;
    if (!known) throw new NoServerForFile(path);
    if (language !== undefined && known.includes(language)) return language;
    const [first] = known;
    if (first === undefined) throw new NoServerForFile(path);
    return first;
  }

  /** One language for each server for which `holds`, a function of the two alone, is true of the file at `path`. */
  languagesThat(holds: Holds, path: string): readonly LanguageId[] {
    const known = this.#holding.get(holds)?.get(path);
    if (known) return known;
    this.#byServer ??= this.#languageOfEachServer();
    const found = this.#byServer.flatMap(([definition, language]) =>
      holds(definition, path) ? [language] : [],
    );
    const kept = this.#holding.get(holds) ?? new Map<string, readonly LanguageId[]>();
    if (kept.size >= keptPaths) kept.clear();
    this.#holding.set(holds, kept.set(path, found));
    return found;
  }

  /** The languages for which the user named servers; empty if servers are detected. */
  get languages(): readonly LanguageId[] {
    const { definitions } = this.#options;
    return definitions === 'detect'
      ? []
      : [...new Set(definitions.flatMap((definition) => definition.languages))];
  }

  /** The server for a language in a workspace. A hit is cached; a miss is searched again. */
  locate(language: LanguageId, place: TrustedPlace, signal: AbortSignal): Promise<LocatedServer> {
    const { workspace, trust, folders = [] } = place;
    const key = [language, trust, workspace.root, ...folders].join('\0');
    const known = this.#located.get(key);
    if (known) return known;
    const located = this.#search(language, place, signal);
    this.#located.set(key, located);
    located.catch(() => this.#located.delete(key));
    return located;
  }

  /** Whether a program that a server calls by name is on the search path. */
  hasOnPath(name: string): boolean {
    const { env } = this.#options;
    return executablesNamed(name, searchPath(env), env).length > 0;
  }

  /** The definition of a language's server, installed or not: for a server that runs elsewhere. */
  definitionFor(language: LanguageId): ServerDefinition {
    const [definition] = this.#candidates(language);
    if (!definition) throw new NoServerForLanguage(language, []);
    return definition;
  }

  /** Every server that is the first choice for a language, with the first such language. */
  #languageOfEachServer(): readonly (readonly [ServerDefinition, LanguageId])[] {
    const { definitions } = this.#options;
    const byName = new Map<string, readonly [ServerDefinition, LanguageId]>();
    for (const { languages } of definitions === 'detect' ? serverCatalogue : definitions) {
      const [language] = languages;
      if (language === undefined) continue;
      const first = this.definitionFor(language);
      if (!byName.has(first.name)) byName.set(first.name, [first, language]);
    }
    return [...byName.values()];
  }

  async #search(
    language: LanguageId,
    { workspace, trust, folders }: TrustedPlace,
    signal: AbortSignal,
  ): Promise<LocatedServer> {
    const candidates = this.#candidates(language);
    const places = { workspaceDir: workspace.root, env: this.#options.env, trust, folders };
    const withheld: Withheld[] = [];
    for (const definition of candidates) {
      const location = await locateServer(definition, places, signal);
      withheld.push(...location.withheld);
      if (location.found) return { ...location.found, withheld };
    }
    throw new NoServerForLanguage(language, candidates, withheld.length > 0 ? workspace.root : undefined);
  }

  #candidates(language: LanguageId): readonly ServerDefinition[] {
    const { definitions } = this.#options;
    if (definitions === 'detect') return serversFor(language);
    return definitions.filter((definition) => definition.languages.includes(language));
  }
}

export class NoServerForFile extends Failure {
  readonly code = 'servers/unknown-file-type';
  readonly remedy =
    'Configure a server for this kind of file, as language:binary or in a configuration file.';

  constructor(path: string) {
    super(`no language server is known for ${path}`);
  }
}

export class NoServerForLanguage extends Failure {
  readonly code = 'servers/not-installed';
  readonly remedy: string;

  /** `untrustedRoot` is the workspace that has a server of its own, which was not used. */
  constructor(language: string, candidates: readonly ServerDefinition[], untrustedRoot?: string) {
    super(
      candidates.length === 0
        ? `no server configured for language "${language}"`
        : `no language server for "${language}" is installed`,
    );
    if (untrustedRoot !== undefined) {
      this.remedy = `The workspace brings one, which is not used because the workspace is not trusted. ${howToTrust(untrustedRoot)}`;
      return;
    }
    const hints = candidates.map(
      (definition) => `${definition.name}: ${definition.installHint.replace(/\.$/, '')}`,
    );
    this.remedy =
      hints.length > 0
        ? `Install one and try again. ${hints.slice(0, 3).join('; ')}.`
        : 'Configure one, as language:binary, or choose another language.';
  }
}
