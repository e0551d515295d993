/**
 * The question whether a call may be made.
 *
 * Invariant: what is asked about is shown whole and as it is, with nothing in it that a terminal would act upon; the
 * rule that `a` would keep is named.
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

/** Asks for permission by a question to the user. */
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

/** What is asked about, all of it. */
function permissionDetail({ call }: PermissionRequest, columns: number): readonly StyledLine[] {
  const { subject, input, tool } = call;
  if (subject.kind === 'command') return indented(subject.command, columns);
  const [path] = subject.kind === 'paths' ? subject.paths : [];
  const edits = editsOf(input);
  if (edits.length === 0 || !path) return indented(`${tool} ${JSON.stringify(input)}`, columns);
  const patches = edits.map(({ before, after }) =>
    makeFilePatch({ newPath: path.shown, oldPath: path.shown, before, after }),
  );
  // Where in the file it is nobody knows here: only what goes and what comes is shown.
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

/** What Edit, MultiEdit and Write propose, read from their arguments. */
function editsOf(input: Readonly<Record<string, unknown>>): readonly ProposedEdit[] {
  const { old_string, new_string, content, edits } = input;
  if (typeof content === 'string') return [{ before: '', after: content }];
  if (typeof old_string === 'string' && typeof new_string === 'string') {
    return [{ before: closed(old_string), after: closed(new_string) }];
  }
  if (!Array.isArray(edits)) return [];
  return edits.flatMap((edit) => (isRecord(edit) ? editsOf(edit) : []));
}

/** A piece of text ends with its last line; that it lacks a line feed means nothing. */
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
