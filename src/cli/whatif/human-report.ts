/** A judged patch as text: the verdict first, then each diagnostic with its code. */
import type { Evaluation, Finding } from '../../evaluation/evaluation.ts';
import type { PatchCheck } from '../../host/check/patch-check.ts';
import { counted } from '../../text/counted-noun.ts';
import { LineIndex } from '../../text/position.ts';
import { shortVersion } from '../../tools/evaluation-payload.ts';
import type { Palette } from '../print/palette.ts';
import { untrustedLines } from '../trust/untrusted-lines.ts';
import { codeFrame } from './code-frame.ts';

export async function humanReport(check: PatchCheck, palette: Palette): Promise<string> {
  const introduced = check.evaluations.flatMap((evaluation) => evaluation.introduced);
  const resolved = check.evaluations.flatMap((evaluation) => evaluation.resolved);
  const sections = [verdictLine(check, palette)];
  for (const finding of introduced) sections.push(await introducedSection(check, finding, palette));
  if (resolved.length > 0) {
    sections.push(
      resolved.map((finding) => `${palette.good('resolved')} ${findingLine(finding)}`).join('\n'),
    );
  }
  for (const { paths, reason, remedy } of check.unjudged) {
    sections.push(`${palette.warning('not judged')} ${paths.join(', ')}\n  ${reason}\n  ${remedy}`);
  }
  const doubts = [...new Set(check.evaluations.flatMap((evaluation) => evaluation.doubts))];
  if (doubts.length > 0) sections.push(doubts.map((doubt) => palette.faint(`doubt: ${doubt}`)).join('\n'));
  const notes = [...new Set(check.evaluations.flatMap(unconfinedNote))];
  if (notes.length > 0) sections.push(notes.map((note) => palette.warning(note)).join('\n'));
  const note = untrustedLines(check.workspace.root, check.withheld);
  if (note.length > 0) sections.push(palette.faint(note.join('\n')));
  return `${sections.join('\n\n')}\n`;
}

function unconfinedNote({ server, confinement }: Evaluation): readonly string[] {
  if (confinement.kind !== 'open') return [];
  return [`not confined: ${server.name} ran code of the workspace with your rights (${confinement.because})`];
}

function verdictLine(check: PatchCheck, palette: Palette): string {
  const { evaluations, changed } = check;
  const asked = evaluations.map(({ server, evaluatedFiles, durationMs, confinement }) => {
    if (confinement.kind === 'refused') return `${server.name}: not started`;
    const name = [server.name, shortVersion(server.version ?? '')].join(' ').trim();
    const how = confinement.kind === 'confined' ? ', confined' : '';
    return `${name}: ${counted(evaluatedFiles.length, 'file')} in ${Math.round(durationMs)} ms${how}`;
  });
  const tail = palette.faint([`${counted(changed.length, 'file')} changed`, ...asked].join('; '));
  const paint = { clean: palette.good, broken: palette.error, unknown: palette.warning }[check.verdict.kind];
  return `${paint(check.verdict.kind)}: ${verdictSentence(check)} (${tail})`;
}

/** The verdict in words, without its name. */
export function verdictSentence({ verdict, judged }: Pick<PatchCheck, 'verdict' | 'judged'>): string {
  switch (verdict.kind) {
    case 'clean':
      return `${subjects[judged]} no errors`;
    case 'broken':
      return `${subjects[judged]} ${counted(verdict.errors, 'error')} in ${counted(verdict.in.length, 'file')}`;
    case 'unknown':
      return 'no errors were seen, but their absence is not proved';
  }
}

const subjects: Readonly<Record<PatchCheck['judged'], string>> = {
  patch: 'this patch introduces',
  'applied-patch': 'this patch, which is already applied, introduces',
  uncommitted: 'the uncommitted changes introduce',
  staged: 'the staged changes introduce',
  revision: 'these commits introduce',
};

async function introducedSection(check: PatchCheck, finding: Finding, palette: Palette): Promise<string> {
  const { path, diagnostic } = finding;
  const colour = diagnostic.severity === 'error' ? palette.error : palette.warning;
  const content = await check.overlay.read(path);
  const frame =
    content?.kind === 'text' ? codeFrame(new LineIndex(content.text), diagnostic.range, palette) : '';
  return [`${colour('introduced')} ${palette.strong(findingLine(finding))}`, frame]
    .filter((part) => part !== '')
    .join('\n');
}

/** A position and its message, on one line unless the server sent several. */
export function findingLine({ path, diagnostic }: Finding): string {
  const { start } = diagnostic.range;
  const code = diagnostic.code === undefined ? '' : ` ${diagnostic.code}`;
  return `${path}:${start.line + 1}:${start.character + 1} ${diagnostic.severity}${code}: ${diagnostic.message.replaceAll('\n', '\n  ')}`;
}
