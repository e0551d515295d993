import { describe, expect, test } from 'vitest';
import { benignTables } from '../../test/support/shell/benign-tables.ts';
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
    expect(rows.length).toBeGreaterThanOrEqual(2700);
  });
});

describe('benign commands', () => {
  test('at least nineteen in twenty are read as readonly', () => {
    const tables = Object.entries(benignTables).map(([kind, texts]) => ({
      kind,
      texts,
      refused: refusedOf(texts),
    }));
    for (const { kind, texts, refused } of tables) {
      process.stderr.write(`${kind}: refused ${refused.length} of ${texts.length}\n${refused.join('')}`);
    }
    const count = tables.flatMap(({ texts }) => texts).length;
    expect(count).toBeGreaterThanOrEqual(2700);
    expect(tables.flatMap(({ refused }) => refused).length).toBeLessThanOrEqual(count * 0.05);
  });
});

function refusedOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const reading = readShellCommand(text);
    return reading.kind === 'boundary' ? [`  ${reading.rule} at ${reading.at}: ${text}\n`] : [];
  });
}

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
