/**
 * The projects of a brokered server: requested from the broker, which asks the server that shows this client's
 * overlay.
 *
 * Invariant: both ends of the wire format are in this file.
 */

import { fieldOf, isRecord, itemsOf } from '../../base/record.ts';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Replica } from '../pool/replica.ts';
import type { Projection } from '../projection.ts';
import type { FileDiagnostics, Proof } from '../proof.ts';
import type { DiagnosticExtent } from './file-questions.ts';
import { isTakenIn, mayConfigure } from './project-configs.ts';
import type { ProgramFiles } from './project-program.ts';
import type { Projects, ShownProjects } from './typescript-projects.ts';

const requests = {
  count: 'forerun/projectCount',
  current: 'forerun/projects',
  programFiles: 'forerun/projectFiles',
  diagnostics: 'forerun/projectDiagnostics',
  elsewhere: 'forerun/projectProblemsElsewhere',
} as const;

/** The wire form of the shown projects; null if there is no API session. */
interface WireProjects {
  readonly configs: readonly string[];
  readonly held: readonly string[];
  readonly checkedLibraries: readonly string[];
  /** Digests by configuration. */
  readonly elsewhere: Readonly<Record<string, string>>;
  /** By the requested paths. */
  readonly otherReaders: Readonly<Record<string, readonly string[]>>;
}

type Requests = Pick<LanguageServer, 'request'>;
type BrokeredProjection = Pick<Projection, 'shown' | 'diskEpoch' | 'uri'>;

/** The broker's server may check many files before it comes to one; the caller's signal is the only limit. */
const unlimited = { timeoutMs: Number.POSITIVE_INFINITY } as const;

export class BrokeredProjects implements Projects {
  readonly #server: Requests;
  readonly #projection: BrokeredProjection;
  /** How many projects the disk has, as of `epoch`. */
  #onDisk: { readonly epoch: number; readonly count: number } | undefined;

  #isUnavailable = false;

  constructor(parts: { readonly server: Requests; readonly projection: BrokeredProjection }) {
    this.#server = parts.server;
    this.#projection = parts.projection;
  }

  async count(signal: AbortSignal): Promise<number> {
    const { shown, diskEpoch: epoch } = this.#projection;
    const isOfDisk = ![...shown.keys()].some(mayConfigure);
    if (isOfDisk && this.#onDisk?.epoch === epoch) return this.#onDisk.count;
    const answer = await this.#server.request(requests.count, {}, unlimited, signal);
    const count = typeof answer === 'number' ? answer : 0;
    if (isOfDisk) this.#onDisk = { epoch, count };
    return count;
  }

  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  async current(signal: AbortSignal): Promise<ShownProjects | undefined> {
    const answer = (await this.#server.request(
      requests.current,
      { paths: [...this.#projection.shown.keys()] },
      unlimited,
      signal,
    )) as WireProjects | null;
    this.#isUnavailable = answer === null;
    if (answer === null) return undefined;
    const configs = pathsIn(answer.configs);
    const held = new Set([...pathsIn(answer.held), ...configs]);
    return {
      configs,
      held,
      checkedLibraries: pathsIn(answer.checkedLibraries),
      elsewhere: new Map(
        pathsIn(Object.keys(answer.elsewhere)).map((path) => [path, answer.elsewhere[path] ?? '']),
      ),
      problemsElsewhere: async (paths, caller) =>
        String(await this.#server.request(requests.elsewhere, { paths }, unlimited, caller)),
      programFiles: async (caller) =>
        readProgramFiles(await this.#server.request(requests.programFiles, {}, unlimited, caller)),
      holds: (path) => held.has(path),
      otherReaders: (path) => answer.otherReaders[path] ?? [],
      diagnostics: (path, extent, caller) => this.#diagnostics(path, extent, caller),
    };
  }

  takesIn(path: WorkspacePath, signal: AbortSignal): Promise<boolean> {
    return isTakenIn(this.#server, this.#projection.uri(path), signal);
  }

  [Symbol.dispose](): void {}

  async #diagnostics(
    path: WorkspacePath,
    { hints }: DiagnosticExtent,
    signal: AbortSignal,
  ): Promise<FileDiagnostics> {
    const answer = await this.#server.request(requests.diagnostics, { path, hints }, unlimited, signal);
    return {
      path,
      diagnostics: (fieldOf(answer, 'diagnostics') ?? []) as readonly Diagnostic[],
      proof: pulled,
      ...(hints === 'unwanted' && { lacksHints: true }),
    };
  }
}

/** The broker's end: undefined for a request that is not about projects. */
export function answerAboutProjects(
  { projects }: Pick<Replica, 'projects'>,
  { method, params }: { readonly method: string; readonly params: unknown },
  signal: AbortSignal,
): Promise<unknown> | undefined {
  switch (method) {
    case requests.count:
      return projects ? projects.count(signal) : Promise.resolve(0);
    case requests.current:
      return projects ? wireProjects(projects, pathsIn(listIn(params)), signal) : Promise.resolve(null);
    case requests.diagnostics:
      return projects && projectDiagnostics(projects, params, signal);
    case requests.programFiles:
      return projects && writtenProgramFiles(projects, signal);
    case requests.elsewhere:
      return projects && problemsElsewhere(projects, pathsIn(listIn(params)), signal);
    default:
      return undefined;
  }
}

async function problemsElsewhere(
  projects: Projects,
  configs: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<string> {
  return (await shownIn(projects, signal)).problemsElsewhere(configs, signal);
}

async function writtenProgramFiles(
  projects: Projects,
  signal: AbortSignal,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const programs = await (await shownIn(projects, signal)).programFiles(signal);
  return Object.fromEntries([...programs].map(([config, files]) => [config, [...files]]));
}

function readProgramFiles(answer: unknown): ProgramFiles {
  const programs = Object.entries(isRecord(answer) ? answer : {});
  return new Map(
    programs.flatMap(([name, files]) => {
      const config = parseWorkspacePath(name);
      return config === undefined ? [] : [[config, new Set(itemsOf(files).map(String))] as const];
    }),
  );
}

async function shownIn(projects: Projects, signal: AbortSignal): Promise<ShownProjects> {
  const shown = await projects.current(signal);
  if (shown === undefined) throw new Error('the server has no projects');
  return shown;
}

async function wireProjects(
  projects: Projects,
  paths: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<WireProjects | null> {
  const shown = await projects.current(signal);
  if (shown === undefined) return null;
  const otherReaders = Object.fromEntries(paths.map((path) => [path, shown.otherReaders(path)]));
  const { configs, checkedLibraries } = shown;
  const elsewhere = Object.fromEntries(shown.elsewhere);
  return { configs, held: [...shown.held], checkedLibraries, elsewhere, otherReaders };
}

async function projectDiagnostics(
  projects: Projects,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const path = parseWorkspacePath(String(fieldOf(params, 'path')));
  const shown = await projects.current(signal);
  if (path === undefined || shown === undefined) return { diagnostics: [] };
  const hints = fieldOf(params, 'hints') === 'unwanted' ? 'unwanted' : 'wanted';
  return { diagnostics: (await shown.diagnostics(path, { hints }, signal)).diagnostics };
}

function listIn(params: unknown): readonly string[] {
  const paths = fieldOf(params, 'paths');
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

function pathsIn(texts: readonly string[]): readonly WorkspacePath[] {
  return texts.map(parseWorkspacePath).filter((path) => path !== undefined);
}

const pulled: Proof = { kind: 'pulled' };
