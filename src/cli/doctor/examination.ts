/**
 * Proves that a language server works: an error appears and disappears when it should.
 *
 * Invariant: `ok` means that both were observed, on this machine, on the same path as every verdict.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import { evaluateWhole } from '../../evaluation/whole-evaluation.ts';
import { Forerun } from '../../host/forerun.ts';
import type { LanguageId } from '../../servers/language.ts';
import type { ServerDefinition } from '../../servers/server-definition.ts';
import { shortVersion } from '../../tools/server-version.ts';
import { ScratchDirectory } from '../scratch-directory.ts';
import { type Probe, probes } from './probe.ts';

export interface Examination {
  readonly name: string;
  readonly languages: readonly string[];
  readonly status: 'ok' | 'failed';
  /** The proof, or what failed. */
  readonly finding: string;
  readonly remedy?: string;
  readonly version?: string;
  readonly way?: Evaluation['way'];
  /** From a cold start to the first verdict, and from an edit to its verdict once warm. */
  readonly coldMs?: number;
  readonly warmMs?: number;
}

const patienceMs = 30_000;

export async function examine(
  definition: ServerDefinition,
  { log, env }: { readonly log: Log; readonly env: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<Examination> {
  const { name, languages } = definition;
  try {
    await using scratch = await ScratchDirectory.create('doctor');
    const definitions = [definition];
    await using forerun = new Forerun({ definitions, log, env, daemon: 'off' });
    const language = languages.find((each) => probes.has(each)) ?? languages[0];
    if (language === undefined) return { name, languages, status: 'failed', finding: 'supports no language' };
    const probe = probes.get(language);
    if (!probe)
      return { name, languages, status: 'ok', ...(await started(forerun, scratch, language, signal)) };
    await lay(scratch.path, probe);
    return {
      name,
      languages,
      ...(await roundTrip(forerun, { root: scratch.path, language, probe }, signal)),
    };
  } catch (thrown) {
    return {
      name,
      languages,
      status: 'failed',
      finding: messageOf(thrown),
      ...(thrown instanceof Failure && { remedy: thrown.remedy }),
    };
  }
}

async function started(
  forerun: Forerun,
  scratch: ScratchDirectory,
  language: LanguageId,
  signal: AbortSignal,
): Promise<Pick<Examination, 'finding' | 'coldMs'>> {
  const startedAt = performance.now();
  const { live } = await forerun.workspaces.open(scratch.path, signal);
  await live.servers.start(language, {}, signal);
  return { finding: 'starts; there is no probe for its language', coldMs: since(startedAt) };
}

type RoundTrip = Omit<Examination, 'name' | 'languages'>;

async function roundTrip(
  forerun: Forerun,
  { root, language, probe }: { readonly root: string; readonly language: LanguageId; readonly probe: Probe },
  signal: AbortSignal,
): Promise<RoundTrip> {
  const startedAt = performance.now();
  const { workspace, live } = await forerun.workspaces.open(root, signal);
  const path = await workspace.resolve(probe.file);
  const judge = (text: string): Promise<Evaluation> =>
    evaluateWhole(
      new LocalEvaluator(live, forerun.log),
      {
        workspace,
        overlay: live.emptyOverlay().writeText(path, text),
        mainLanguage: language,
        scope: 'file',
        timeoutMs: patienceMs,
        caller: 'doctor',
      },
      signal,
    );
  const broken = await judge(probe.broken);
  const coldMs = since(startedAt);
  const repairedAt = performance.now();
  // One more empty line: text equal to the disk would need no answer from the server.
  const repaired = await judge(`${probe.clean}\n`);
  const warmMs = since(repairedAt);
  const { version } = broken.server;
  const facts = {
    ...(version !== undefined && { version: shortVersion(version) }),
    way: broken.way,
    coldMs,
    warmMs,
  };
  const seen = broken.introduced.some(({ diagnostic }) => diagnostic.severity === 'error');
  if (!seen)
    return { ...facts, status: 'failed', finding: 'a known error did not appear', remedy: doubtsOf(broken) };
  if (repaired.introduced.length > 0) {
    return {
      ...facts,
      status: 'failed',
      finding: 'the error stayed after it was fixed',
      remedy: doubtsOf(repaired),
    };
  }
  return { ...facts, status: 'ok', finding: 'an error appears and goes as it should' };
}

async function lay(root: string, probe: Probe): Promise<void> {
  for (const [file, text] of Object.entries({ ...probe.support, [probe.file]: probe.clean })) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

function doubtsOf(evaluation: Evaluation): string {
  return (
    evaluation.doubts.join(' ') || 'The server answered without the error; check the settings of the server.'
  );
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
