import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asFailure } from '../../tools/failure.ts';
import { withoutSection, withSection } from './managed-section.ts';

const section = { file: '/CLAUDE.md', name: 'rules' } as const;
const start = '<!-- forerun:rules:start -->';
const end = '<!-- forerun:rules:end -->';

function written(text: string): string {
  try {
    return withSection(section, text, 'new');
  } catch (thrown) {
    return asFailure(thrown).code;
  }
}

describe('our section', () => {
  test.each<[string, string, string]>([
    ['in a new file', '', `${start}\nnew\n${end}\n`],
    ['after what is there', '# Mine\n', `# Mine\n\n${start}\nnew\n${end}\n`],
    ['after a last line without an end', '# Mine', `# Mine\n\n${start}\nnew\n${end}\n`],
    ['in its old place', `a\n${start}\nold\n${end}\nb\n`, `a\n${start}\nnew\n${end}\nb\n`],
    ['with the endings of the file', 'a\r\n', `a\r\n\r\n${start}\r\nnew\r\n${end}\r\n`],
    ['without an end', `a\n${start}\nold\n`, 'cli/uneditable-config'],
    ['without a start', `a\n${end}\n`, 'cli/uneditable-config'],
    ['the wrong way round', `${end}\n${start}\n`, 'cli/uneditable-config'],
    ['twice', `${start}\n${end}\n${start}\n${end}\n`, 'cli/uneditable-config'],
  ])('%s', (_where, text, expected) => {
    expect(written(text)).toBe(expected);
  });

  test('writing twice is writing once, and removing gives back what was there', () => {
    const texts = fc.array(fc.constantFrom('a', 'b c', '', '# d')).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(texts, (text) => {
        const once = withSection(section, text, 'body\n\nmore');
        expect(withSection(section, once, 'body\n\nmore')).toBe(once);
        expect(withoutSection(section, once).trimEnd()).toBe(text.trim() === '' ? '' : text.trimEnd());
      }),
    );
  });

  test('sections of another name are not ours', () => {
    const text = '<!-- forerun:skills:start -->\nx\n<!-- forerun:skills:end -->\n';
    expect(withoutSection(section, text)).toBe(text);
  });
});
