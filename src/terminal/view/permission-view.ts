/**
 * The permission question.
 *
 * Invariant: the subject is shown in full and made safe for the terminal; the rule that `a` would save is named.
 */
import { renderRule } from '../../agent/permission/permission-rule.ts';
import { isRecord } from '../../base/record.ts';
import { makeFilePatch } from '../../text/unified-diff.ts';
import type { Ask, PermissionAnswer, PermissionRequest } from '../../tools/permission-request.ts';
import { type StyledLine, span } from '../line/styled-line.ts';
import { visibleText } from '../line/visible-text.ts';
import { wrapLine } from '../line/wrapped-line.ts';
import type { AskUser, Question } from '../question/question.ts';
import { diffLines } from './diff-view.ts';

/** Asks for permission through a question to the user. */
export function askPermission(ask: AskUser): Ask {
  return (request, signal) => ask(permissionQuestion(request), signal);
}

export function permissionQuestion(request: PermissionRequest): Question<PermissionAnswer> {
  const { suggestion } = request;
  const always = { kind: 'allow-always', rule: suggestion, scope: 'conversation' } as const;
  return {
    title: titleOf(request),
    detail: (columns) => permissionDetail(request, columns),
    choices: [
      { letter: 'y', word: 'yes', label: 'once', answer: { kind: 'allow' } },
      { letter: 'a', word: 'always', label: `always: ${renderRule(suggestion)}`, answer: always },
      { letter: 'n', word: 'no', label: 'no', answer: { kind: 'deny' } },
    ],
    dismissed: { kind: 'deny' },
  };
}

/** The full subject of the question. */
function permissionDetail({ call }: PermissionRequest, columns: number): readonly StyledLine[] {
  const { subject, input, tool } = call;
  if (subject.kind === 'command') return indented(subject.command, columns);
  const [path] = subject.kind === 'paths' ? subject.paths : [];
  const edits = editsOf(input);
  if (edits.length === 0 || !path) return indented(`${tool} ${JSON.stringify(input)}`, columns);
  const patches = edits.map(({ before, after }) =>
    makeFilePatch({ newPath: path.shown, oldPath: path.shown, before, after }),
  );
  // The position in the file is not known here, so only removed and added lines are shown.
  return diffLines(patches, { columns }).filter(([first]) => /^[+-]|^ {2}$/.test(first?.text ?? ''));
}

function titleOf({ call }: PermissionRequest): string {
  const { subject, tool } = call;
  switch (subject.kind) {
    case 'command':
      return 'Run this command?';
    case 'paths':
      return `${tool} ${subject.paths.map(({ shown }) => shown).join(', ')}?`;
    case 'none':
      return `${tool}?`;
  }
}

interface ProposedEdit {
  readonly before: string;
  readonly after: string;
}

/** The edits in the arguments of Edit, MultiEdit and Write. */
function editsOf(input: Readonly<Record<string, unknown>>): readonly ProposedEdit[] {
  const { old_string, new_string, content, edits } = input;
  if (typeof content === 'string') return [{ before: '', after: content }];
  if (typeof old_string === 'string' && typeof new_string === 'string') {
    return [{ before: closed(old_string), after: closed(new_string) }];
  }
  if (!Array.isArray(edits)) return [];
  return edits.flatMap((edit) => (isRecord(edit) ? editsOf(edit) : []));
}

/** Adds a final line feed, whose absence in a fragment means nothing. */
function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function indented(text: string, columns: number): readonly StyledLine[] {
  const indent = span('  ');
  return visibleText(text)
    .split('\n')
    .flatMap((each) =>
      wrapLine([indent, span(each, 'code')], { columns, hanging: [indent], at: 'characters' }),
    );
}
