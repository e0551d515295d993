import { describe, expect, test } from 'vitest';
import { benignCommands } from '../../test/support/shell/benign-commands.ts';
import { benignPipelines } from '../../test/support/shell/benign-pipelines.ts';
import { benignSecond } from '../../test/support/shell/benign-second.ts';
import { hostileCommands } from '../../test/support/shell/hostile-commands.ts';
import { readShellCommand } from './shell-reading.ts';

describe('hostile commands', () => {
  const rows = Object.entries(hostileCommands).flatMap(([kind, texts]) =>
    texts.map((text) => ({ kind, text })),
  );

  test('none of them is read as readonly', () => {
    const passed = rows.filter(({ text }) => readShellCommand(text).kind === 'readonly');
    expect(passed).toEqual([]);
    process.stderr.write(`allowed ${passed.length} of ${rows.length} hostile commands\n`);
    expect(rows.length).toBeGreaterThanOrEqual(1300);
  });
});

describe('benign commands', () => {
  const tables: Readonly<Record<string, readonly string[]>> = {
    'single commands': benignCommands,
    'second table': benignSecond,
    ...benignPipelines,
  };

  test('at least nineteen in twenty are read as readonly', () => {
    const rows = Object.values(tables).flat();
    const refused = rows.flatMap((text) => {
      const reading = readShellCommand(text);
      return reading.kind === 'boundary' ? [`${reading.rule} at ${reading.at}: ${text}`] : [];
    });
    process.stderr.write(
      `refused ${refused.length} of ${rows.length} benign commands\n${refused.join('\n')}\n`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(950);
    expect(refused.length).toBeLessThanOrEqual(rows.length * 0.05);
  });
});

describe('the answer', () => {
  test('holds the words, the conditions, the redirects and the input of every command', () => {
    expect(readShellCommand("grep 'a b' ./*.ts 2>/dev/null | wc -l || cat < f")).toMatchObject({
      kind: 'readonly',
      steps: [
        {
          when: 'always',
          pipeline: [
            {
              argv: [
                { text: 'grep', bare: true },
                { text: 'a b', bare: false, at: 5 },
                { text: './*.ts', pattern: [{ literal: './' }, { wildcard: '*' }, { literal: '.ts' }] },
              ],
              redirects: ['2>/dev/null'],
            },
            { argv: [{ text: 'wc' }, { text: '-l' }] },
          ],
        },
        {
          when: 'failure',
          pipeline: [{ argv: [{ text: 'cat' }], input: { kind: 'file', path: { text: 'f' } } }],
        },
      ],
    });
  });

  test.each([
    ['ls $UNSET', 'expansion', 3],
    ['cat /etc/shadow', 'outside', 4],
    ['ls > out', 'redirect', 3],
    ['ls; rm -rf x', 'unknown-command', 4],
    ['A=1 ls', 'assignment', 0],
    ['ls\u00a0', 'character', 2],
    ['sort -o x y', 'option', 5],
    ['uniq a b', 'operand', 7],
    ["sed 'w x' f", 'script', 4],
    ['cat /dev/zero', 'device', 4],
    ['git push', 'git-subcommand', 4],
    ['ls &', 'background', 3],
  ])('%j stops by the rule %s at %i, and says why', (text, rule, at) => {
    const reading = readShellCommand(text);
    expect(reading).toMatchObject({ kind: 'boundary', rule, at });
    expect(reading.kind === 'boundary' && reading.why).toMatch(/\w+ \w+/);
  });
});
