import { describe, expect, test } from 'vitest';
import { liveRoots } from '../../../test/support/agent-trial.ts';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { viewsOf } from '../../agent/files/agent-root.ts';
import { anchorPath } from '../../agent/files/path-anchor.ts';
import type { JsonObject } from '../../model/json-value.ts';
import type { PermissionRequest } from '../../tools/guard.ts';
import { textOfLine } from '../line/styled-line.ts';
import { choiceOfLine, questionLines } from '../question/question.ts';
import { permissionQuestion } from './permission-view.ts';

function asked(command: string): PermissionRequest {
  return {
    call: {
      id: '1',
      tool: 'Bash',
      input: { command },
      effect: 'process',
      subject: { kind: 'command', command },
    },
    suggestion: { tool: 'Bash', pattern: 'npm test:*' },
  };
}

function detail(request: PermissionRequest, columns = 60): string {
  return (permissionQuestion(request).detail?.(columns) ?? []).map(textOfLine).join('\n');
}

describe('what is asked about', () => {
  test('a command is shown whole, line by line', () => {
    const long = `echo ${'x'.repeat(200)}\nrm -rf build`;
    expect(detail(asked(long)).replaceAll(/\n {2}(?=x)/g, '')).toBe(
      `  echo ${'x'.repeat(200)}\n  rm -rf build`,
    );
  });

  test('nothing in a command can hide the rest of it', () => {
    expect(detail(asked('rm -rf / \u001b[2K\rls'))).toBe('  rm -rf / \\x1b[2K\\x0dls');
    expect(detail(asked('a\u202eb'))).toBe('  a\\u202eb');
  });

  test.each<[string, JsonObject, string]>([
    ['Edit', { file_path: 'a.ts', old_string: 'one\ntwo', new_string: 'one\n2' }, '-two\n+2'],
    ['Write', { file_path: 'a.ts', content: 'a\nb\n' }, '+a\n+b'],
    [
      'MultiEdit',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'c', new_string: '' },
        ],
      },
      '-a\n+b\n-c',
    ],
    [
      'rename_symbol',
      { file_path: 'a.ts', new_name: 'x' },
      '  rename_symbol {"file_path":"a.ts","new_name":"x"}',
    ],
  ])('what %s changes', async (tool, value, shown) => {
    await using scratch = await ScratchWorkspace.create({});
    const path = await anchorPath(viewsOf(liveRoots(scratch.workspace)), 'a.ts');
    const subject = { kind: 'paths', paths: [path] } as const;
    const call = { id: '1', tool, input: value, effect: 'overlay', subject } as const;
    expect(detail({ call, suggestion: { tool: 'Edit', pattern: '**' } })).toBe(shown);
  });
});

test('the rule that would be kept is named', () => {
  expect(questionLines(permissionQuestion(asked('npm test')), 60).map(textOfLine)).toEqual([
    'Run this command?',
    'y once   a always: Bash(npm test:*)   n no   then Enter',
  ]);
});

test.each([
  ['y', 'allow'],
  ['Y', 'allow'],
  ['a', 'allow-always'],
  ['n', 'deny'],
  ['', undefined],
  ['yy', undefined],
  ['x', undefined],
  ['yes please', undefined],
  ['1', undefined],
])('in lines, %j means %s', (answer, kind) => {
  expect(choiceOfLine(permissionQuestion(asked('x')), answer)?.answer.kind).toBe(kind);
});
