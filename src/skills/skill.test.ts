import { describe, expect, test } from 'vitest';
import { parseSkill } from './skill.ts';

const whole = `---
name: sample
description: "A sample: of a skill"
argument-hint: "[one] [optional: two]"
allowed-tools: mcp__lsp__a  mcp__lsp__b Edit
metadata:
  required-capabilities: hoverProvider renameProvider
  description: not of the skill
  tool_permissions:
    phases:
      look:
        description: of a phase
        allowed: [a, sim*]
      act:
        optional: true
        forbidden: [b]
    global_forbidden: [c]
---

# Sample

---
not a second head
`;

test('front matter and body are read apart', () => {
  expect(parseSkill(whole)).toEqual({
    name: 'sample',
    description: 'A sample: of a skill',
    arguments: [
      { name: 'one', isRequired: true },
      { name: 'two', isRequired: false },
    ],
    allowedTools: ['mcp__lsp__a', 'mcp__lsp__b', 'Edit'],
    requiredCapabilities: ['hoverProvider', 'renameProvider'],
    optionalCapabilities: [],
    plan: {
      phases: [
        { name: 'look', description: 'of a phase', allowed: ['a', 'sim*'], forbidden: [], isOptional: false },
        { name: 'act', description: '', allowed: [], forbidden: ['b'], isOptional: true },
      ],
      globallyForbidden: ['c'],
    },
    body: '# Sample\n\n---\nnot a second head',
  });
});

test('a description of something inside never becomes that of the skill', () => {
  expect(parseSkill('---\nname: x\nmetadata:\n  description: inner\n---\nbody')?.description).toBe('');
});

test('line ends, a byte order mark and lists for words make no difference', () => {
  const written = whole.replace(/allowed-tools: .*/, 'allowed-tools: [mcp__lsp__a, mcp__lsp__b, Edit]');
  expect(parseSkill(`\uFEFF${written.replaceAll('\n', '\r\n')}`)).toEqual(parseSkill(whole));
});

describe('what is no skill is left alone', () => {
  test.each([
    ['no front matter', '# Title\n---\nname: x\n---\n'],
    ['front matter without an end', '---\nname: x\n'],
    ['no name', '---\ndescription: x\n---\nbody'],
    ['an empty name', '---\nname: ""\n---\nbody'],
    ['an empty file', ''],
  ])('%s', (_case, text) => {
    expect(parseSkill(text)).toBeUndefined();
  });
});

describe('front matter that cannot be meant is refused with the reason', () => {
  test.each([
    ['not YAML', '---\nname: [x\n---\n'],
    ['a list where a text belongs', '---\nname: x\ndescription: [a]\n---\n'],
    ['phases without a phase', '---\nname: x\nmetadata: { tool_permissions: { phases: {} } }\n---\n'],
  ])('%s', (_case, text) => {
    expect(() => parseSkill(text)).toThrow(/^the front matter cannot be read: ./);
  });
});
