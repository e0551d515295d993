import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { line, type StyledLine } from './line/styled-line.ts';
import type { LaidOut } from './prompt/prompt-layout.ts';
import { Screen } from './screen.ts';

const columns = 20;

interface Step {
  readonly said: readonly string[];
  readonly live: readonly string[];
  readonly row: number;
}

test('whatever is printed and drawn, the screen shows what was said and below it what was drawn last', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '日', ' '), maxLength: 9 });
  const step = fc.record<Step>({
    said: fc.array(text, { maxLength: 4 }),
    live: fc.array(text, { minLength: 1, maxLength: 5 }),
    row: fc.nat(4),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const terminal = new xterm.Terminal({ cols: columns, rows: 8, allowProposedApi: true });
      const output = {
        columns,
        rows: 8,
        write: (sent: string) => terminal.write(sent),
        on: () => {},
        off: () => {},
      };
      const screen = new Screen(output, 'coloured');
      for (const each of steps) screen.print(each.said.map(styled), laid(each));
      await new Promise<void>((resolve) => terminal.write('', resolve));
      const { active } = terminal.buffer;
      const shown = Array.from({ length: active.length }, (_, row) =>
        (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
      );
      const expected = [...steps.flatMap(({ said }) => said), ...(steps.at(-1)?.live ?? [])].map((each) =>
        each.trimEnd(),
      );
      expect(trimmed(shown)).toEqual(trimmed(expected));
      terminal.dispose();
    }),
    { numRuns: 50 },
  );
});

function styled(text: string): StyledLine {
  return line(text, 'faint');
}

function laid({ live, row }: Step): LaidOut {
  return { lines: live.map(styled), cursor: { row: Math.min(row, live.length - 1), column: 1 } };
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((text) => text !== '') + 1);
}
