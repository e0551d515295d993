/**
 * The compiler's diagnostics of the TypeScript projects of a workspace: each file is checked in every project whose
 * program contains it. (A pull of the language server is answered by one project, for a closed file by an arbitrary
 * one.)
 *
 * Invariant: an answer is for exactly what the server shows.
 */

import { fileURLToPath, pathToFileURL } from 'node:url';
import { abortable } from '../../base/deadline.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { libraryIn } from '../missing-library.ts';
import type { OverlayEffect } from '../projection.ts';
import type { FileDiagnostics, Proof } from '../proof.ts';
import type { ApiDiagnostic, ApiProject, ApiSession } from './api-session.ts';
import { ConfigProblems } from './config-problems.ts';
import { AnswersAhead, askAbout, type DiagnosticExtent } from './file-questions.ts';
import { packageOf } from './linked-packages.ts';
import { otherReaders } from './other-readers.ts';
import { isConfiguration, isTakenIn } from './project-configs.ts';
import { readApiDiagnostics } from './project-diagnostics.ts';
import {
  checkedElsewhere,
  checkedLibraries,
  digestOf,
  filesOf,
  type ProgramFiles,
  type ProjectProgram,
  programFilesOf,
  programsOf,
} from './project-program.ts';
import { ProjectSnapshots, type ProjectsParts, type TakenSnapshot } from './project-snapshots.ts';

/** The projects of what a server shows, valid until it shows something else. */
export interface ShownProjects {
  /** Their configurations and what these extend; both can be requested like files. */
  readonly configs: readonly WorkspacePath[];
  programFiles(signal: AbortSignal): Promise<ProgramFiles>;
  /** Whether any project's program contains the file, or it is a configuration. */
  holds(path: WorkspacePath): boolean;
  /** The projects that do not read a file as it is shown, each in a sentence. */
  otherReaders(path: WorkspacePath): readonly string[];
  /** The files of the workspace that any program contains. */
  readonly held: Iterable<WorkspacePath>;
  /** The ones of them that belong to an installed library and in which the compiler may report errors. */
  readonly checkedLibraries: readonly WorkspacePath[];
  /**
   * The projects in which the compiler may report errors outside the workspace: the configurations, each with a digest of
   * its program.
   */
  readonly elsewhere: ReadonlyMap<WorkspacePath, string>;
  /** The errors that the projects of these configurations have outside the workspace, as one text. */
  problemsElsewhere(configs: readonly WorkspacePath[], signal: AbortSignal): Promise<string>;
  /**
   * Keeps the answers about files available until it is disposed, whatever the server shows meanwhile; absent if they
   * are not.
   */
  hold?(): Disposable;
  /** Their diagnostics of a file they contain, or of a configuration. */
  diagnostics(path: WorkspacePath, extent: DiagnosticExtent, signal: AbortSignal): Promise<FileDiagnostics>;
}

interface HeldFile {
  readonly holders: readonly ProjectProgram[];
  /** What the server showed when the programs were read. */
  readonly shown: OverlayEffect;
}

/** Access to the projects of what a replica shows. */
export interface Projects extends Disposable {
  /** How many projects the shown workspace has. */
  count(signal: AbortSignal): Promise<number>;
  /**
   * The shown projects; undefined if the server has no API session. With `sameFiles` the caller guarantees that each
   * contains the same files as on disk, which then need not be listed again.
   */
  current(signal: AbortSignal, known?: { readonly sameFiles: boolean }): Promise<ShownProjects | undefined>;
  /** Whether the last request for the shown projects found that they cannot be asked. Sends nothing. */
  readonly isUnavailable: boolean;
  /**
   * Which of `paths` the only project contains, for a caller that knows that it contains the same files as on disk;
   * undefined if its files on the current disk were not listed. Sends nothing. Absent: `current` is asked.
   */
  heldAsOnDisk?(paths: readonly WorkspacePath[]): ReadonlySet<WorkspacePath> | undefined;
  /** Whether `readAhead` would spare a caller of `current` something under this effect; absent: never. */
  canReadAhead?(effect: OverlayEffect): boolean;
  /**
   * Has the server begin to read the shown projects, and resolves when it has; then it checks the files of the effect.
   * `current` goes on from there. The signal ends the checks.
   */
  readAhead?(signal: AbortSignal): Promise<void>;
  /** Whether a project includes an open file, according to the server. */
  takesIn(path: WorkspacePath, signal: AbortSignal): Promise<boolean>;
}

export class TypeScriptProjects implements Projects {
  readonly #parts: ProjectsParts;
  readonly #snapshots: ProjectSnapshots;
  readonly #answers = new AnswersAhead();
  /** Absolute paths as the server spells them; a projection has one URI for each path. */
  readonly #spelled = new Map<WorkspacePath, string>();
  readonly #life = new AbortController();
  #turn: Promise<void> = Promise.resolve();
  /** The files of each project on disk, by its configuration, as of `epoch`. */
  #onDisk:
    | {
        readonly epoch: number;
        readonly files: ReadonlyMap<WorkspacePath, ReadonlySet<string>>;
        readonly programs: readonly ProjectProgram[];
      }
    | undefined;
  #current: { readonly generation: number; readonly shown: ShownProjects | undefined } | undefined;

  constructor(parts: ProjectsParts) {
    this.#parts = parts;
    this.#snapshots = new ProjectSnapshots({
      ...parts,
      isHeldOnDisk: (path) => this.#isHeldOnDisk(path),
      fileAt: (path) => this.#file(path),
    });
  }

  async count(signal: AbortSignal): Promise<number> {
    const { configs, projection } = this.#parts;
    return (await configs.under(projection.shown, signal)).length;
  }

  async current(
    signal: AbortSignal,
    { sameFiles } = { sameFiles: false },
  ): Promise<ShownProjects | undefined> {
    const { generation } = this.#parts.projection;
    if (this.#snapshots.isAlive && this.#current?.generation === generation) return this.#current.shown;
    const shown = await this.#read(sameFiles, signal);
    this.#current = { generation, shown };
    return shown;
  }

  async #read(sameFiles: boolean, signal: AbortSignal): Promise<ShownProjects | undefined> {
    // Completed even if the caller gives up: otherwise projects could stay open without being recorded.
    const turn = this.#turn.then(() => this.#programs(sameFiles, this.#life.signal));
    this.#turn = turn.then(
      () => undefined,
      () => undefined,
    );
    const programs = await abortable(turn, signal);
    if (programs === undefined) return undefined;
    const parts = this.#parts;
    const configs = new Set([
      ...programs.map(({ config }) => config),
      ...(await parts.configs.extendedUnder(parts.projection.shown, signal)),
    ]);
    const touched = this.#touched(programs);
    const { shown } = parts.projection;
    // Needed only if projects are asked one by one.
    let configProblems: ConfigProblems<ProjectProgram> | undefined;
    const holders = (path: WorkspacePath) => {
      const file = this.#file(path);
      return programs.filter(({ files }) => files.has(file));
    };
    const pathOf = (file: string) => parts.workspace.fromUri(pathToFileURL(file).href);
    const pathsOf = (files: readonly string[]) => files.map(pathOf).filter((path) => path !== undefined);
    const isElsewhere = (file: string) => pathOf(file) === undefined;
    return {
      configs: [...configs],
      programFiles: async () => programFilesOf(programs, pathOf),
      get held() {
        return pathsOf(filesOf(programs));
      },
      get checkedLibraries() {
        return pathsOf(checkedLibraries(programs));
      },
      get elsewhere() {
        const open = programs.filter((program) => checkedElsewhere(program, isElsewhere).length > 0);
        return new Map(open.map((program) => [program.config, digestOf(program)]));
      },
      problemsElsewhere: (chosen, caller) => {
        const asked = programs.filter(({ config }) => chosen.includes(config));
        return this.#problemsIn(
          asked.map((program) => ({ program, files: checkedElsewhere(program, isElsewhere) })),
          caller,
        );
      },
      otherReaders: (path) => otherReaders(this.#file(path), programs),
      holds: (path) => configs.has(path) || holders(path).length > 0,
      hold: () => this.#session.hold(),
      diagnostics: async (path, extent, caller) => {
        if (!configs.has(path)) {
          const holding = holders(path);
          const answer = await this.#ofFile(path, { holders: holding, shown, ...extent }, caller);
          if (touched === undefined || holding.some((program) => touched.has(program))) return answer;
          return (await this.#isApart(answer, caller)) ? { ...answer, isApart: true } : answer;
        }
        configProblems ??= new ConfigProblems((program, asking) => this.#askConfig(program, asking));
        const places = new Map([...configs].map((config) => [this.#file(config), config]));
        const found = await configProblems.at(path, { programs, places }, caller);
        return { path, diagnostics: await this.#inWords(path, found, shown), proof: checked };
      },
    };
  }

  get isUnavailable(): boolean {
    return this.#current !== undefined && this.#current.shown === undefined;
  }

  heldAsOnDisk(paths: readonly WorkspacePath[]): ReadonlySet<WorkspacePath> | undefined {
    const { shown, diskEpoch } = this.#parts.projection;
    if (this.#onDisk?.epoch !== diskEpoch || this.#onDisk.files.size !== 1) return undefined;
    const isHeld = (path: WorkspacePath) => this.#isHeldOnDisk(path);
    // A configuration is held without being a file of the program, and a created file is listed nowhere.
    if (!paths.every(isSource) || ![...shown.keys()].every(isHeld)) return undefined;
    return new Set(paths.filter(isHeld));
  }

  /** Worth it for several projects, which are asked in a snapshot; the files of the effect must be known to be in one. */
  canReadAhead(effect: OverlayEffect): boolean {
    if (this.#onDisk === undefined || this.#onDisk.files.size < 2) return false;
    const isPlain = ([path, content]: readonly [WorkspacePath, FileContent | 'removed']): boolean =>
      content !== 'removed' && isSource(path) && this.#isHeldOnDisk(path);
    return effect.size > 0 && [...effect].every(isPlain) && this.#snapshots.session?.isOpen === true;
  }

  readAhead(signal: AbortSignal): Promise<void> {
    const { generation } = this.#parts.projection;
    return new Promise((resolve) => {
      this.#turn = this.#turn.then(async () => {
        const taken = await this.#snapshots.takeAhead(generation, resolve, this.#life.signal);
        if (taken) void this.#askAhead(taken, signal);
      });
    });
  }

  /** The files of the effect are checked whatever the change can reach. Never rejects. */
  async #askAhead({ session, projects, byFile }: TakenSnapshot, signal: AbortSignal): Promise<void> {
    using _held = session.hold();
    const listed = this.#onDisk?.files;
    const asked = [...this.#parts.projection.shown.keys()].map((path) => {
      const file = this.#file(path);
      const holds = ({ configFileName }: ApiProject): boolean => {
        const config = byFile.get(configFileName);
        return config !== undefined && listed?.get(config)?.has(file) === true;
      };
      return this.#answers.ask(session, { holders: projects.filter(holds), file }, signal);
    });
    await Promise.all(asked);
  }

  takesIn(path: WorkspacePath, signal: AbortSignal): Promise<boolean> {
    const { server, projection } = this.#parts;
    return isTakenIn(server, projection.uri(path), signal);
  }

  [Symbol.dispose](): void {
    this.#life.abort(new Error('the server is ended'));
    this.#snapshots[Symbol.dispose]();
  }

  async #programs(sameFiles: boolean, signal: AbortSignal): Promise<readonly ProjectProgram[] | undefined> {
    const { projection } = this.#parts;
    const { shown, diskEpoch, generation } = projection;
    const known = sameFiles && this.#onDisk?.epoch === diskEpoch ? this.#onDisk.files : undefined;
    const list = ({ session, byFile, projects }: TakenSnapshot) =>
      programsOf(projects, { byFile, known, list: (project) => session.files(project, signal) });
    const taken = await this.#snapshots.take(signal);
    if (taken === undefined) return undefined;
    let programs = await list(taken);
    const isUnheld = (path: WorkspacePath) => programs.every(({ files }) => !files.has(this.#file(path)));
    const unheld = [...shown].filter(
      ([path, content]) => content !== 'removed' && isSource(path) && isUnheld(path),
    );
    // After events about a configuration and a file in a new directory at once, the server may list the files of before.
    if (unheld.length > 0) programs = await list(await this.#snapshots.retake(taken, signal));
    // A caller that gave up has handed the server on: the snapshot may be one of the next overlay.
    if (shown.size === 0 && projection.generation === generation) {
      this.#onDisk = {
        epoch: diskEpoch,
        files: new Map(programs.map(({ config, files }) => [config, files])),
        programs,
      };
    }
    return programs;
  }

  #isHeldOnDisk(path: WorkspacePath): boolean {
    if (this.#onDisk?.epoch !== this.#parts.projection.diskEpoch) return false;
    const file = this.#file(path);
    return [...this.#onDisk.files.values()].some((files) => files.has(file));
  }

  get #session(): ApiSession {
    return this.#snapshots.session as ApiSession;
  }

  async #ofFile(
    path: WorkspacePath,
    { holders, shown, hints }: DiagnosticExtent & HeldFile,
    signal: AbortSignal,
  ): Promise<FileDiagnostics> {
    const held = { holders: holders.map(({ project }) => project), file: this.#file(path), hints };
    const found = await this.#answers.take(this.#session, held, signal);
    const diagnostics = await this.#inWords(path, found, shown);
    return { path, diagnostics, proof: checked, ...(hints === 'unwanted' && { lacksHints: true }) };
  }

  async #problemsIn(
    asked: readonly { readonly program: ProjectProgram; readonly files: readonly string[] }[],
    signal: AbortSignal,
  ): Promise<string> {
    const session = this.#session;
    const found = await Promise.all(
      asked.flatMap(({ program: { project, config }, files }) =>
        files.map(async (file) => {
          const all = await askAbout(session, { project, file, hints: 'unwanted' }, signal);
          return all.map(({ pos, code }) => `${config} ${file}:${pos} ${code}`);
        }),
      ),
    );
    return found.flat().sort().join('\n');
  }

  /** Whether no library that the file misses is a package of the workspace, which a change could affect. */
  async #isApart({ path, diagnostics }: FileDiagnostics, signal: AbortSignal): Promise<boolean> {
    const missing = diagnostics
      .map((each) => libraryIn('ecmascript', each))
      .filter((name) => name !== undefined);
    if (missing.length === 0) return true;
    const packages = await this.#parts.configs.linkedPackages(signal);
    const linked = await Promise.all(missing.map((name) => packages.isLinked(packageOf(name), path)));
    return !linked.includes(true);
  }

  /** The programs that contain a changed file, shown or on disk; undefined if a change may affect any of them. */
  #touched(programs: readonly ProjectProgram[]): ReadonlySet<ProjectProgram> | undefined {
    const { shown, diskEpoch } = this.#parts.projection;
    const paths = [...shown.keys()];
    const isRead = (path: WorkspacePath): boolean => isSource(path) || isConfiguration(path);
    if (shown.size === 0 || this.#onDisk?.epoch !== diskEpoch || !paths.every(isRead)) return undefined;
    const changed = paths.filter(isSource).map((path) => this.#file(path));
    const { files: before, programs: old } = this.#onDisk;
    const digests = paths.some(isConfiguration) && new Set(old.map(digestOf));
    return new Set(
      programs.filter(
        (program) =>
          (digests && !digests.has(digestOf(program))) ||
          changed.some((file) => program.files.has(file) || (before.get(program.config)?.has(file) ?? true)),
      ),
    );
  }

  async #askConfig({ project }: ProjectProgram, signal: AbortSignal): Promise<readonly ApiDiagnostic[]> {
    const session = this.#session;
    const found = await Promise.all([
      session.askProgram('getConfigFileParsingDiagnostics', project, signal),
      session.askProgram('getProgramDiagnostics', project, signal),
      // Of types that the compiler itself needs and no library declares.
      session.askProgram('getGlobalDiagnostics', project, signal),
    ]);
    return found.flat();
  }

  async #inWords(
    path: WorkspacePath,
    found: readonly ApiDiagnostic[],
    shown: OverlayEffect,
  ): Promise<FileDiagnostics['diagnostics']> {
    if (found.length === 0) return [];
    const text = (await this.#parts.projection.text(path, shown)) ?? '';
    const file = this.#file(path);
    return readApiDiagnostics(found, {
      text,
      textOf: (other) => (other === file ? text : undefined),
      uriOf: (other) => pathToFileURL(other).href,
    });
  }

  #file(path: WorkspacePath): string {
    const known = this.#spelled.get(path);
    if (known !== undefined) return known;
    const file = fileURLToPath(this.#parts.projection.uri(path));
    this.#spelled.set(path, file);
    return file;
  }
}

function isSource(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

const checked: Proof = { kind: 'pulled' };
