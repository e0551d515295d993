/** Tool calls as lines: one line each, and the output on request. */
import type { Judgement, Problem } from '../../agent/judgement.ts';
import type { JsonObject } from '../../model/json-value.ts';
import type { ToolCallPart, ToolResultPart } from '../../model/message.ts';
import { counted } from '../../text/counted-noun.ts';
import { line, type StyledLine, span } from '../line/styled-line.ts';
import { visibleText } from '../line/visible-text.ts';
import { cutLine, wrapLine } from '../line/wrapped-line.ts';

/** A short title of a call: `Edit src/a.ts`. */
export function callTitle({ name, input }: ToolCallPart): string {
  const subject = input.kind === 'object' ? subjectOf(input.value) : '';
  return subject === '' ? name : `${name} ${subject}`;
}

/** A finished call in one line. */
export function finishedCall(call: ToolCallPart, result: ToolResultPart, columns: number): StyledLine {
  const isDone = result.outcome === 'done';
  const lines = result.text.trimEnd().split('\n');
  const count = lines.length > 1 ? ` (${lines.length} lines, Ctrl+O)` : '';
  const reported = isDone ? '' : ` ${lines[0] ?? ''}`;
  return cutLine(
    [
      span(isDone ? '● ' : '✗ ', isDone ? 'good' : 'error'),
      span(callTitle(call)),
      span(reported, 'error'),
      span(count, 'faint'),
    ],
    columns,
  );
}

export function runningCall(call: ToolCallPart, columns: number): StyledLine {
  return cutLine([span('○ ', 'warning'), span(callTitle(call)), span(' …', 'faint')], columns);
}

/** The output of a call, cut to the available lines; its end is kept. */
export function outputPanel(
  text: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly StyledLine[] {
  const bar = span('│ ', 'faint');
  const lines = visibleText(text.trimEnd())
    .split('\n')
    .flatMap((each) => wrapLine([bar, span(each)], { columns, hanging: [bar], at: 'characters' }));
  const left = lines.length - rows;
  if (left <= 0) return lines;
  return [[bar, span(`… ${left + 1} lines above`, 'faint')], ...lines.slice(left + 1)];
}

const mostProblems = 5;

/** The effect of an edit on the diagnostics. */
export function judgementLines(judgement: Judgement, columns: number): readonly StyledLine[] {
  const { verdict, introduced, resolved, doubts } = judgement;
  const errors = introduced.filter(({ severity }) => severity === 'error').length;
  const repaired = resolved.length > 0 ? `, ${resolved.length} resolved` : '';
  const [sign, style, reported] =
    verdict === 'broken'
      ? (['  ✗ ', 'error', `${counted(errors, 'error')} introduced${repaired}`] as const)
      : verdict === 'clean'
        ? (['  ✓ ', 'good', `0 errors introduced${repaired}`] as const)
        : ([
            '  ? ',
            'warning',
            `not proved free of errors${repaired}: ${doubts[0] ?? 'no server answered'}`,
          ] as const);
  const left = introduced.length - mostProblems;
  return [
    cutLine([span(sign, style), span(reported, 'faint')], columns),
    ...introduced.slice(0, mostProblems).map((problem) => cutLine(problemLine(problem), columns)),
    ...(left > 0 ? [line(`    … and ${left} more`, 'faint')] : []),
  ];
}

function problemLine({ path, line: row, column, severity, message }: Problem): StyledLine {
  const style = severity === 'error' ? 'error' : 'warning';
  return [
    span(`    ${path}:${row}:${column} `),
    span(severity, style),
    span(` ${message.split('\n')[0] ?? ''}`),
  ];
}

/** The most informative arguments, in order of preference. */
const tellingArguments = ['command', 'file_path', 'pattern', 'path', 'query', 'name', 'symbol'] as const;

function subjectOf(input: JsonObject): string {
  for (const name of tellingArguments) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return value.split('\n').join(' ⏎ ');
  }
  return '';
}
