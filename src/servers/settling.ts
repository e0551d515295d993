/**
 * Gets a server's diagnostics for the text it was just shown, with the proof that they belong to it.
 *
 * Invariant: a file whose answer is missing or cannot be tied to the text carries that in its proof; silence is never
 * reported as an empty list of diagnostics.
 */
import { Deadline } from '../base/deadline.ts';
import { unreachable } from '../base/unreachable.ts';
import { isConfigFile } from '../graph/reach/reach-family.ts';
import type { Publication } from '../lsp/diagnostic.ts';
import { canonicalUri } from '../lsp/document.ts';
import { pullDiagnostics } from '../lsp/feature/diagnostic-pull.ts';
import { ResponseFailed } from '../lsp/server-failure.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { inOriginal } from './c/whole-text.ts';
import { serves } from './file-relevance.ts';
import { runFullCheck } from './full-check.ts';
import { runGoCheck } from './go/go-check.ts';
import { unbuiltFiles } from './go/unbuilt-files.ts';
import type { Replica } from './pool/replica.ts';
import { noEffect } from './projection.ts';
import type { FileDiagnostics, Proof } from './proof.ts';
import { requestTsserverDiagnostics } from './tsserver-diagnostics.ts';
import type { DiagnosticExtent } from './typescript/file-questions.ts';
import type { Projects, ShownProjects } from './typescript/typescript-projects.ts';

export interface SettleOptions {
  readonly timeoutMs: number;
  /** Whether diagnostics of the projects' configuration files are included. */
  readonly withConfigs?: boolean;
  /** Whether every project is known to contain the same files as on disk. */
  readonly sameFiles?: boolean;
  /**
   * Whether to skip unchanged files outside all projects. A server checks them in an inferred project, which can cost
   * more than all others together.
   */
  readonly heldOnly?: boolean;
  /**
   * The files for which hints are requested too; absent: all. Hints are requested file by file, and for the many
   * files that a change may break only the errors count.
   */
  readonly hintsFor?: ReadonlySet<WorkspacePath>;
  /**
   * Whether errors count that show only in the bodies of functions and templates of included headers; absent: `skipped`. It
   * costs a server that keeps preambles what a compiler run costs; other servers always report them.
   */
  readonly headerBodies?: 'checked' | 'skipped';
  /** Called for each file that has answered, where they answer one by one. */
  readonly onAnswered?: (() => void) | undefined;
}

/**
 * The diagnostics of `paths` from the replica's server. Pass a changed file first. Files that did not settle in time
 * have no proof.
 */
export async function settledDiagnostics(
  replica: Replica,
  paths: readonly WorkspacePath[],
  options: SettleOptions,
  caller: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  const { timeoutMs } = options;
  const { fullCheck } = replica.definition;
  const { shown } = replica.setup;
  if (fullCheck && shown) {
    const { projection } = replica;
    const checked =
      fullCheck.output === 'go-list'
        ? await runGoCheck(shown, projection, { command: fullCheck.command, paths, timeoutMs }, caller)
        : await runFullCheck(
            fullCheck,
            shown,
            paths,
            { timeoutMs, plainDisk: await plainDisk(replica) },
            caller,
          );
    if (checked) return checked;
    // The compiler was to answer for this server, so its start did not wait until it was ready.
    await replica.server.progress.isIdleWithin(timeoutMs, caller);
    const unserved = paths.filter((path) => !serves(replica.definition, path));
    if (unserved.length > 0) {
      const served = paths.filter((path) => serves(replica.definition, path));
      const answers = await askServer(replica, served, options, caller);
      return [...answers, ...unserved.map((path) => ({ path, diagnostics: [], proof: refused }))];
    }
  }
  return askServer(replica, paths, options, caller);
}

/** The state of the disk, if the shown files differ from it in the text of sources alone. */
async function plainDisk({ definition, projection }: Replica): Promise<number | undefined> {
  for (const [path, content] of projection.shown) {
    const isCreated = (await projection.text(path, noEffect)) === undefined;
    if (isCreated || content === 'removed' || isConfigFile(definition.reach, path)) return undefined;
  }
  return projection.diskEpoch;
}

async function askServer(
  replica: Replica,
  paths: readonly WorkspacePath[],
  options: SettleOptions,
  caller: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  const { timeoutMs, withConfigs = false, sameFiles = false, heldOnly = false, hintsFor } = options;
  const { settle, quirks } = replica.definition;
  if (quirks.keepsPreambles && options.headerBodies === 'checked')
    return askWhole(replica, paths, options, caller);
  await replica.projection.include?.(paths);
  if (settle.mode !== 'pull' || quirks.answersOpenFilesOnly) await replica.projection.open(paths);
  using deadline = new Deadline(timeoutMs, caller);
  let asker = await builtFilesAsker(replica, paths);
  let asked = paths;
  if (replica.projects) {
    try {
      const projects = await askProjects(
        replica,
        replica.projects,
        { paths, withConfigs, sameFiles, heldOnly, ...(hintsFor && { hintsFor }) },
        deadline.signal,
      );
      asker = projects.ask;
      if (withConfigs) asked = [...new Set([...paths, ...projects.configs])];
    } catch (thrown) {
      if (!deadline.expired || !replica.server.isRunning) throw thrown;
    }
  }
  // The first request makes the server process what it was shown; with parallel requests some do that many times.
  const [first, ...rest] = asked;
  if (first === undefined) return [];
  replica.lastAsked = first;
  const ask = inTime(replica, counted(asker, options), { deadline, caller });
  return [await ask(first), ...(await Promise.all(rest.map(ask)))];
}

/** Asks the server itself, but not about files that no build includes. */
async function builtFilesAsker(replica: Replica, paths: readonly WorkspacePath[]): Promise<Ask> {
  const { platform } = replica.setup;
  const settled: Ask = (path, signal) => settledFile(replica, path, signal);
  if (platform === undefined) return settled;
  return (await unbuiltFiles(replica.projection, platform, paths)).among(settled);
}

/** Asks a server that keeps preambles about documents without one. */
async function askWhole(
  replica: Replica,
  paths: readonly WorkspacePath[],
  options: SettleOptions,
  caller: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  using deadline = new Deadline(options.timeoutMs, caller);
  await using documents = await replica.projection.openWhole(paths, deadline.signal);
  replica.lastAsked = paths[0] ?? replica.lastAsked;
  const asker: Ask = async (path, signal) => {
    const answer = await settledFile(replica, path, signal);
    const original = documents.original(path);
    if (original === undefined) return answer;
    const uri = canonicalUri(replica.projection.uri(path));
    return {
      ...answer,
      diagnostics: answer.diagnostics.map((each) => inOriginal(each, uri, original)),
    };
  };
  return await Promise.all(paths.map(inTime(replica, counted(asker, options), { deadline, caller })));
}

function counted(ask: Ask, { onAnswered }: SettleOptions): Ask {
  return async (path, signal) => {
    const answer = await ask(path, signal);
    onAnswered?.();
    return answer;
  };
}

/** `ask` under a deadline: a file that is late or refused is answered without proof. */
function inTime(
  { server }: Replica,
  ask: Ask,
  { deadline, caller }: { readonly deadline: Deadline; readonly caller: AbortSignal },
): (path: WorkspacePath) => Promise<FileDiagnostics> {
  return async (path) => {
    try {
      return await ask(path, deadline.signal);
    } catch (thrown) {
      if (caller.aborted || !server.isRunning) throw thrown;
      if (thrown instanceof ResponseFailed) return { path, diagnostics: [], proof: refused };
      // Other failures of the server end the call; only our deadline turns a file into an unproved one.
      if (!deadline.expired) throw thrown;
      return { path, diagnostics: [], proof: late };
    }
  };
}

/** Diagnostics that were requested. */
export interface BegunDiagnostics {
  readonly answers: Promise<readonly FileDiagnostics[]>;
  /** Whether they are of a snapshot that the server keeps, so that it may show something else before they arrive. */
  readonly areKept: boolean;
}

/**
 * Like `settledDiagnostics`, but for projects of which the server keeps a snapshot the diagnostics are only requested: the
 * server checks the snapshot on another core while it is shown an overlay and checks that.
 */
export async function beginDiagnostics(
  replica: Replica,
  paths: readonly WorkspacePath[],
  options: SettleOptions,
  caller: AbortSignal,
): Promise<BegunDiagnostics> {
  const kept = await keptProjects(replica, options, caller);
  if (kept?.hold === undefined)
    return { answers: settledDiagnostics(replica, paths, options, caller), areKept: false };
  const held = kept.hold();
  const answer = async (): Promise<readonly FileDiagnostics[]> => {
    using _held = held;
    using deadline = new Deadline(options.timeoutMs, caller);
    const ask: Ask = async (path, signal) =>
      kept.holds(path) ? kept.diagnostics(path, hintsOf(path, options.hintsFor), signal) : unasked(path);
    return await Promise.all(paths.map(inTime(replica, ask, { deadline, caller })));
  };
  return { answers: answer(), areKept: true };
}

/** The shown projects, if every answer about files is theirs and only changed files need another one. */
async function keptProjects(
  { projects, projection }: Replica,
  { timeoutMs, withConfigs, heldOnly }: SettleOptions,
  caller: AbortSignal,
): Promise<ShownProjects | undefined> {
  if (!projects || !heldOnly || withConfigs || projection.shown.size > 0) return undefined;
  using deadline = new Deadline(timeoutMs, caller);
  try {
    return (await projects.count(deadline.signal)) > 1 ? await projects.current(deadline.signal) : undefined;
  } catch (thrown) {
    if (!deadline.expired) throw thrown;
    return undefined;
  }
}

function hintsOf(path: WorkspacePath, hintsFor: SettleOptions['hintsFor']): DiagnosticExtent {
  return { hints: hintsFor === undefined || hintsFor.has(path) ? 'wanted' : 'unwanted' };
}

type Ask = (path: WorkspacePath, signal: AbortSignal) => Promise<FileDiagnostics>;

interface ProjectQuestion
  extends Required<Omit<SettleOptions, 'timeoutMs' | 'hintsFor' | 'headerBodies' | 'onAnswered'>> {
  readonly paths: readonly WorkspacePath[];
  readonly hintsFor?: ReadonlySet<WorkspacePath>;
}

/**
 * Queries a server whose workspace has projects. With one project, the server's answer about a file in it is that of
 * the project; with several, each project is queried separately.
 */
async function askProjects(
  replica: Replica,
  projects: Projects,
  { paths, withConfigs, sameFiles, heldOnly, hintsFor }: ProjectQuestion,
  signal: AbortSignal,
): Promise<{ readonly ask: Ask; readonly configs: readonly WorkspacePath[] }> {
  const pull: Ask = (path, caller) => settledFile(replica, path, caller);
  const count = await projects.count(signal);
  if (count === 0) return { ask: pull, configs: [] };
  // A project that is only partly loaded does not report all of its files.
  const isPart = (replica.projection.leftOut ?? 0) > 0;
  // Alone, a file of a library is pulled from an inferred project, which reports errors that `skipLibCheck` skips.
  const isOfLibraries = paths.some(isOfLibrary);
  const isSingle = paths.length === 1 && !withConfigs && !isOfLibraries;
  if (count === 1 && (isPart || isSingle)) {
    const ask: Ask = async (path, caller) => {
      if (!replica.projection.shown.has(path)) return pull(path, caller);
      const [answer, isTaken] = await Promise.all([pull(path, caller), projects.takesIn(path, caller)]);
      // A single project includes or excludes a file by its configuration, which is the same on disk.
      return isTaken ? answer : { ...answer, isUnowned: true, wasUnowned: true };
    };
    return { ask, configs: [] };
  }
  const pullUnheld: Ask = async (path, caller) => {
    if (heldOnly && !replica.projection.shown.has(path)) return unasked(path);
    return { ...(await pull(path, caller)), isUnowned: true };
  };
  // Without a snapshot of the project, which would have to be taken anew for every overlay.
  const mayPull = count === 1 && sameFiles && !withConfigs && !isOfLibraries;
  const held = mayPull ? projects.heldAsOnDisk?.(paths) : undefined;
  if (held) return { ask: (path, caller) => (held.has(path) ? pull : pullUnheld)(path, caller), configs: [] };
  const shown = await projects.current(signal, { sameFiles });
  if (shown === undefined) return { ask: pull, configs: [] };
  const ask: Ask = async (path, caller) => {
    if (!shown.holds(path)) return pullUnheld(path, caller);
    const isOwnAnswer = count === 1 && !shown.configs.includes(path) && !isOfLibrary(path);
    if (isOwnAnswer) return pull(path, caller);
    return shown.diagnostics(path, hintsOf(path, hintsFor), caller);
  };
  return { ask, configs: shown.configs };
}

function isOfLibrary(path: WorkspacePath): boolean {
  return path.split('/').includes('node_modules');
}

function unasked(path: WorkspacePath): FileDiagnostics {
  return { path, diagnostics: [], proof: { kind: 'pulled' }, isUnowned: true, isUnasked: true };
}

async function settledFile(
  replica: Replica,
  path: WorkspacePath,
  signal: AbortSignal,
): Promise<FileDiagnostics> {
  const { server, projection, definition } = replica;
  const { settle } = definition;
  const uri = projection.uri(path);
  switch (settle.mode) {
    case 'pull':
      return pulledFile(replica, path, signal);
    case 'request': {
      const diagnostics = await requestTsserverDiagnostics(server, settle, uri, signal);
      return { path, diagnostics, proof: { kind: 'requested' } };
    }
    case 'versioned-push': {
      const version = replica.answers.versionToAwait(uri);
      // A version beyond the last one sent belongs to no text of ours.
      const isForText = (candidate: Publication): boolean =>
        candidate.version !== undefined &&
        candidate.version >= version &&
        candidate.version <= replica.answers.sentVersion(uri);
      const latest = server.publications.latest(uri);
      const publication =
        latest && isForText(latest)
          ? latest
          : await server.publications.waitFor(
              (candidate) => candidate.uri === canonicalUri(uri) && isForText(candidate),
              signal,
            );
      replica.answers.settled(uri, version);
      const { cutCode } = definition.quirks;
      const said = publication.diagnostics.filter(({ code }) => cutCode === undefined || code !== cutCode);
      return {
        path,
        diagnostics: said,
        proof: { kind: 'published', version: publication.version ?? version },
        ...(said.length < publication.diagnostics.length && { isCut: true }),
      };
    }
    case 'offered': {
      if (server.capabilities.has('diagnosticProvider')) return pulledFile(replica, path, signal);
      const { quietMs } = settle;
      // A text that already has a publication is sent again, because the server would not publish it a second time by
      // itself.
      const version = replica.answers.versionToAwait(uri);
      await server.publications.waitQuiet([uri], replica.shownAtSequence, quietMs, signal);
      replica.answers.settled(uri, version);
      const diagnostics = server.publications.latest(uri)?.diagnostics ?? [];
      return { path, diagnostics, proof: { kind: 'quiet', quietMs } };
    }
    default:
      return unreachable(settle);
  }
}

async function pulledFile(
  { server, projection, definition }: Replica,
  path: WorkspacePath,
  signal: AbortSignal,
): Promise<FileDiagnostics> {
  const { items } = await pullDiagnostics(server, projection.uri(path), signal);
  const { lostSigns = [] } = definition.quirks;
  if (items.some(({ message }) => lostSigns.some((sign) => message.includes(sign))))
    return { path, diagnostics: [], proof: lost };
  return { path, diagnostics: items, proof: pulled };
}

const pulled: Proof = { kind: 'pulled' };
const late: Proof = { kind: 'none', reason: 'timeout' };
const lost: Proof = {
  kind: 'none',
  reason: 'failed',
  why: 'the server has lost track of a package; restart it',
};
const refused: Proof = { kind: 'none', reason: 'refused' };
