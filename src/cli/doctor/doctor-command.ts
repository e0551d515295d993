/** `forerun doctor`: tests every language server of this machine, and lists the missing ones. */
import type { Log } from '../../base/log.ts';
import { type TrustGrant, userTrust } from '../../host/user-trust.ts';
import { serverCatalogue } from '../../servers/catalogue.ts';
import { parseServerSpecs } from '../../servers/server-config.ts';
import type { ServerDefinition } from '../../servers/server-definition.ts';
import { detectServers, untrustedNote } from '../../servers/server-detection.ts';
import type { Withheld } from '../../servers/server-location.ts';
import { environmentOutside } from '../../workspace/outside-environment.ts';
import { extentOf } from '../../workspace/supplied-path.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { type ColorChoice, type Palette, paletteFor } from '../print/palette.ts';
import { StatusLine } from '../print/status-line.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { untrustedLines } from '../trust/untrusted-lines.ts';
import { type Examination, examine } from './examination.ts';

export interface DoctorOptions {
  readonly specs: readonly string[];
  readonly format: 'human' | 'json';
  readonly trust: TrustGrant;
  readonly color: ColorChoice;
  readonly log: Log;
}

interface MissingServer {
  readonly language: string;
  readonly name: string;
  readonly install: string;
}

export async function doctorCommand({ signal }: ProcessLifetime, options: DoctorOptions): Promise<ExitCode> {
  const palette = paletteFor(options.color, process.stdout, process.env);
  const isHuman = options.format === 'human';
  using status = new StatusLine(process.stderr);
  const { definitions: present, withheld, env } = await serversToExamine(options, signal);
  const examinations: Examination[] = [];
  for (const definition of present) {
    status.show(`examining ${definition.name}`);
    const examination = await examine(definition, { log: options.log, env }, signal);
    status.clear();
    examinations.push(examination);
    if (isHuman) process.stdout.write(`${describe(examination, palette)}\n`);
  }
  const missing = options.specs.length > 0 ? [] : missingServers(present);
  const note = untrustedNote(process.cwd(), withheld);
  const ok = examinations.filter((examination) => examination.status === 'ok').length;
  const failed = examinations.length - ok;
  if (isHuman) {
    for (const { language, name, install } of missing) {
      process.stdout.write(palette.faint(`missing  ${language}: ${name} (${install})\n`));
    }
    for (const line of untrustedLines(process.cwd(), withheld)) process.stdout.write(`${line}\n`);
    process.stdout.write(`Summary: ${ok} ok, ${failed} failed\n`);
  } else {
    const report = { servers: examinations, missing, ...note, summary: { ok, failed } };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  }
  return failed > 0 ? exitCodes.bad : exitCodes.good;
}

interface ToExamine {
  readonly definitions: readonly ServerDefinition[];
  readonly withheld: readonly Withheld[];
  /** The environment of the servers. */
  readonly env: NodeJS.ProcessEnv;
}

/** Servers are examined in a directory of ours, so programs of the current workspace are excluded first. */
async function serversToExamine(options: DoctorOptions, signal: AbortSignal): Promise<ToExamine> {
  const workspaceDir = process.cwd();
  const trust = userTrust({ env: process.env, log: options.log }, options.trust).trustOf(workspaceDir);
  const env =
    trust === 'trusted' ? process.env : environmentOutside(process.env, extentOf(workspaceDir, process.env));
  if (options.specs.length > 0) return { definitions: parseServerSpecs(options.specs), withheld: [], env };
  const { servers, withheld } = await detectServers({ workspaceDir, env: process.env, trust }, signal);
  // A server of the workspace is examined elsewhere, so it is given by its path.
  const definitions = servers.map(({ definition, command, origin }) =>
    origin === 'workspace' ? { ...definition, command } : definition,
  );
  return { definitions, withheld, env };
}

/** Languages without an installed server, each with the preferred server. */
function missingServers(present: readonly ServerDefinition[]): readonly MissingServer[] {
  const spoken = new Set(present.flatMap(({ languages }) => languages));
  const missing = new Map<string, MissingServer>();
  for (const { name, languages, installHint } of [...serverCatalogue].sort(
    (a, b) => b.preference - a.preference,
  )) {
    for (const language of languages) {
      if (!spoken.has(language) && !missing.has(language)) {
        missing.set(language, { language, name, install: installHint });
      }
    }
  }
  return [...missing.values()].sort((a, b) => (a.language < b.language ? -1 : 1));
}

function describe(examination: Examination, palette: Palette): string {
  const { name, version, languages, finding, remedy, coldMs, warmMs, way } = examination;
  const mark = examination.status === 'ok' ? palette.good('ok    ') : palette.error('failed');
  const times = [
    coldMs !== undefined && `first answer ${coldMs} ms`,
    warmMs !== undefined && `then ${warmMs} ms`,
    way !== undefined && `shown by ${way}`,
  ].filter((part) => part !== false);
  const head = `${mark}   ${palette.strong(name)}${version ? ` ${version}` : ''} (${languages.join(', ')}): ${finding}`;
  const tail = times.length > 0 ? palette.faint(` [${times.join(', ')}]`) : '';
  return examination.status === 'failed' && remedy ? `${head}${tail}\n         ${remedy}` : head + tail;
}
