/** `forerun demo`: demonstrates verdicts on copies of the sample workspaces. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { type Evaluation, verdictOf } from '../../evaluation/evaluation.ts';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import { evaluateWhole } from '../../evaluation/whole-evaluation.ts';
import { Forerun } from '../../host/forerun.ts';
import { packageRoot } from '../../host/package-root.ts';
import { editText } from '../../overlay/overlay.ts';
import { counted } from '../../text/counted-noun.ts';
import { LineIndex } from '../../text/position.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { type ColorChoice, type Palette, paletteFor } from '../print/palette.ts';
import { StatusLine } from '../print/status-line.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { ScratchDirectory } from '../scratch-directory.ts';
import { codeFrame } from '../whatif/code-frame.ts';
import { type Scene, scenes } from './scene.ts';

export interface DemoOptions {
  readonly color: ColorChoice;
  readonly log: Log;
}

export async function demoCommand({ signal }: ProcessLifetime, options: DemoOptions): Promise<ExitCode> {
  const palette = paletteFor(options.color, process.stdout, process.env);
  await using scratch = await ScratchDirectory.create('demo');
  await cp(join(packageRoot(), 'sample'), scratch.path, { recursive: true });
  await using forerun = new Forerun({
    definitions: 'detect',
    log: options.log,
    env: process.env,
    daemon: 'off',
  });
  using status = new StatusLine(process.stderr);
  process.stdout.write(
    `Forerun shows what an edit would do before it happens. The demo does not change any of your files.\n`,
  );
  for (const [index, scene] of scenes.entries()) {
    if (scene.sample !== scenes[index - 1]?.sample) {
      process.stdout.write(`\n${palette.strong(headings[scene.sample])}\n`);
    }
    status.show('asking the language server');
    const shown = await showScene(
      forerun,
      { scene, root: join(scratch.path, scene.sample) },
      palette,
      signal,
    );
    status.clear();
    process.stdout.write(`\n${index + 1}. ${scene.title}\n${shown}`);
  }
  process.stdout.write(connectText);
  return exitCodes.good;
}

const headings: Readonly<Record<Scene['sample'], string>> = { typescript: 'TypeScript', python: 'Python' };

/** One edit of the demonstration with its real verdict, as text. */
export async function showScene(
  forerun: Forerun,
  { scene, root }: { readonly scene: Scene; readonly root: string },
  palette: Palette,
  signal: AbortSignal,
): Promise<string> {
  const startedAt = performance.now();
  const { workspace, live } = await forerun.workspaces.open(root, signal);
  const path = await workspace.resolve(scene.file);
  const overlay = await editText(live.emptyOverlay(), path, (text) =>
    text.replace(scene.find, scene.replace),
  );
  const evaluation = await evaluateWhole(
    new LocalEvaluator(live, forerun.log),
    {
      workspace,
      overlay,
      mainLanguage: live.languageFor(path),
      scope: 'workspace',
      timeoutMs: 60_000,
      caller: 'demo',
    },
    signal,
  );
  const elapsedMs = Math.round(performance.now() - startedAt);
  const frames = await Promise.all(
    evaluation.introduced.map(async ({ path: place, diagnostic }) => {
      const content = await overlay.read(place);
      const { start } = diagnostic.range;
      const head = `   ${place}:${start.line + 1}:${start.character + 1} ${diagnostic.severity}: ${diagnostic.message.replaceAll('\n', '\n     ')}`;
      if (content?.kind !== 'text') return head;
      return `${head}\n${indent(codeFrame(new LineIndex(content.text), diagnostic.range, palette))}`;
    }),
  );
  return `${[`   ${verdictLine(evaluation, palette)} ${palette.faint(`(${elapsedMs} ms)`)}`, ...frames].join('\n')}\n`;
}

function verdictLine(evaluation: Evaluation, palette: Palette): string {
  const verdict = verdictOf(evaluation);
  const files = counted(evaluation.evaluatedFiles.length, 'file');
  switch (verdict.kind) {
    case 'clean':
      return `${palette.good('clean')}: proved over ${files} by ${evaluation.server.name}`;
    case 'broken':
      return `${palette.error('broken')}: ${counted(verdict.errors, 'error')} in ${verdict.in.join(', ')}`;
    case 'unknown':
      return `${palette.warning('unknown')}: ${verdict.why.join(' ')}`;
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '     ');
}

const connectText = `
To let a coding agent ask such questions:  forerun init
To check your own edits:                   forerun whatif
To see which servers work:                 forerun doctor
`;
