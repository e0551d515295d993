/** `npm run bench -- whole-patch`: a patch judged before it is applied, against applying it and compiling. */
import { cp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { applyPatch, renderPatch } from '../src/overlay/patch.ts';
import { runCommand } from '../src/process/run-command.ts';
import { resolveEmbedded } from '../src/servers/embedded-server.ts';
import { parseUnifiedDiff } from '../src/text/unified-diff.ts';
import { World } from '../test/support/world.ts';
import type { Bench, Goal } from './bench.ts';
import { ScratchFiles } from './support/bench-workspace.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { editedText } from './support/sample-edit.ts';

const require = createRequire(import.meta.url);

interface Compiler {
  readonly what: string;
  readonly language: 'typescript' | 'python';
  readonly command: (root: string) => readonly string[];
  readonly rounds: number;
  readonly goal?: Goal;
}

const compilers: readonly Compiler[] = [
  {
    what: 'tsc --noEmit (7, native)',
    language: 'typescript',
    command: (root) => [resolveEmbedded('typescript')[0] ?? 'tsc', '--noEmit', '-p', root],
    rounds: 9,
  },
  {
    what: 'tsc --noEmit (6)',
    language: 'typescript',
    command: (root) => [
      process.execPath,
      join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc'),
      '--noEmit',
      '-p',
      root,
    ],
    rounds: 3,
    goal: { kind: 'none' },
  },
  {
    what: 'pyright command',
    language: 'python',
    command: (root) => [process.execPath, require.resolve('pyright/index.js'), '-p', root],
    rounds: 1,
    goal: { kind: 'none' },
  },
];

export const bench: Bench = {
  name: 'whole-patch',
  claim: 'a patch over 20 files is judged warm many times faster than a copy of the workspace is compiled',
  goal: { kind: 'faster', times: 10 },
  async *run(context, signal) {
    for (const compiler of compilers) {
      const workspace = await context.generated(compiler.language);
      context.progress(`${compiler.what}: copying the workspace and warming a server`);
      await using copy = await patchedCopy(workspace);
      await using world = await World.open({}, { root: workspace.root });
      const seen: Seen = { files: new Set(), broken: new Set() };
      const evaluate = evaluatePatch(world, workspace, seen);
      // The compiler is never warm; only the server is.
      for (let round = 0; round < 3; round++) await evaluate(1000 + round);
      const { ours, beside } = await sampleInTurn(
        {
          ours: evaluate,
          beside: compile(compiler.command(copy.root), signal),
        },
        { warmUp: 0, rounds: compiler.rounds, oursPerRound: 3 },
        signal,
      );
      const wanted = workspace.patch.length / 2;
      const isRight = seen.broken.size === 1 && seen.broken.has(wanted);
      yield {
        kind: 'measured',
        what: `${compiler.language}, ${workspace.patch.length} of ${workspace.files} files`,
        ours,
        beside: { what: compiler.what, measurement: beside },
        note: `${[...seen.files].join(', ')} files judged, ${[...seen.broken].join(', ')} broken`,
        ...(compiler.goal && { goal: compiler.goal }),
        ...(!isRight && { shortfall: `not every answer found the ${wanted} broken files` }),
      };
    }
  },
};

interface Seen {
  readonly files: Set<number>;
  readonly broken: Set<number>;
}

/** The patch arrives as text, as it does from a pipe; every round has another, printed ahead of the clock. */
function evaluatePatch(world: World, workspace: GeneratedWorkspace, seen: Seen): Sampler {
  const { signal } = new AbortController();
  return async (round) => {
    const text = await patchText(world, workspace, round);
    return timed(async () => {
      const session = await world.session(workspace.language);
      await session.transform(async (overlay) => {
        const outcome = await applyPatch(overlay, parseUnifiedDiff(text));
        if (outcome.kind === 'rejected')
          throw new Error(`the patch does not fit: ${outcome.rejects[0]?.reason}`);
        return outcome.overlay;
      }, signal);
      const evaluation = await session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, signal);
      await world.sessions.destroy(session.id);
      seen.files.add(evaluation.evaluatedFiles.length);
      seen.broken.add(new Set(evaluation.introduced.map(({ path }) => path)).size);
    });
  };
}

async function patchText(world: World, workspace: GeneratedWorkspace, round: number): Promise<string> {
  const session = await world.session(workspace.language);
  const empty = session.overlay;
  await world.sessions.destroy(session.id);
  const edits = workspace.patch.map(
    (edit) => [world.workspace.path(edit.path), { kind: 'text', text: editedText(edit, round) }] as const,
  );
  return renderPatch(empty.writeAll(edits));
}

/** Only the compiler's own time counts, not the copying. */
function compile(command: readonly string[], signal: AbortSignal): Sampler {
  const limits = { cwd: '/', env: process.env, timeoutMs: 300_000, maxOutputBytes: 1_000_000 };
  return () =>
    timed(async () => {
      const { code, stdout, stderr } = await runCommand({ command, ...limits }, signal);
      if (code === 0 || !/error/.test(stdout)) {
        throw new Error(`${command.join(' ')} found no errors (exit ${code}): ${stderr.slice(0, 400)}`);
      }
    });
}

async function patchedCopy(workspace: GeneratedWorkspace): Promise<ScratchFiles> {
  const copy = await ScratchFiles.write('copy', new Map());
  await cp(workspace.root, copy.root, { recursive: true });
  for (const edit of workspace.patch) await writeFile(join(copy.root, edit.path), editedText(edit, 0));
  return copy;
}
