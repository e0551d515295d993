/** The shipped plans over all tools: a call that writes is refused wherever writing is forbidden. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { catalogue } from '../tools/catalogue.ts';
import type { JsonSchema } from '../tools/json-schema.ts';
import type { Tool } from '../tools/tool.ts';
import { judge } from './judgement.ts';
import { previewsIn, writingIn } from './phase.ts';
import { readSkills } from './skill-library.ts';

const skills = await readSkills(fileURLToPath(new URL('../../skills', import.meta.url)), silentLog);

/** Phases in which a skill forbids writing, with their names for the tests. */
const closed = skills.flatMap(({ name, plan }) =>
  (plan?.phases ?? []).flatMap((phase, index) =>
    plan && phase.forbidden.includes('apply_edit') ? [{ name: `${name}, ${phase.name}`, plan, index }] : [],
  ),
);

const writers = catalogue.filter(
  ({ effect, inputSchema }) => effect === 'disk' || 'apply' in (inputSchema.properties ?? {}),
);

/** The minimal input of a tool, without anything that prevents writing. */
function leastInput(tool: Tool): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = tool.inputSchema;
  const least = Object.fromEntries(required.map((name) => [name, anyValue(properties[name] ?? {})]));
  return 'apply' in properties ? { ...least, apply: true } : least;
}

function anyValue({ type }: JsonSchema): unknown {
  const values: Readonly<Record<string, unknown>> = {
    number: 1,
    integer: 1,
    boolean: true,
    array: [],
    object: {},
  };
  return values[type ?? 'string'] ?? 'x';
}

test('there are phases that forbid writing, and tools that write', () => {
  expect(closed.length).toBeGreaterThan(8);
  expect(writers.map(({ name }) => name)).toContain('commit_session');
});

describe.each(closed)('$name', ({ plan, index }) => {
  test('no tool that writes gets through', () => {
    const progress = { mode: 'block', index, served: new Set<number>() } as const;
    const passed = writers.filter((tool) => {
      const { effect } = tool.prepare(leastInput(tool));
      const { kind } = judge(plan, progress, { name: tool.name, effect });
      return kind !== 'forbidden' && kind !== 'globally-forbidden';
    });
    expect(passed.map(({ name }) => name)).toEqual([]);
  });
});

const previewing = skills.flatMap(({ name, plan }) =>
  (plan?.phases ?? []).flatMap((phase, index) =>
    plan && previewsIn(phase).length > 0 ? [{ name: `${name}, ${phase.name}`, plan, index, phase }] : [],
  ),
);

describe.each(previewing)('before a preview in $name', ({ plan, index }) => {
  test('no call opens a phase in which writing is allowed', () => {
    const progress = { mode: 'block', index, served: new Set([index]) } as const;
    const calls = catalogue.flatMap(({ name }) => [
      { name, effect: 'reads' } as const,
      { name, effect: 'overlay' } as const,
    ]);
    const opened = calls.filter((call) => {
      const judgement = judge(plan, progress, call);
      const later = judgement.kind === 'advance' ? plan.phases.slice(judgement.to) : [];
      return later.some((phase) => writingIn(phase) === 'allowed');
    });
    expect(opened).toEqual([]);
  });
});

describe.each(previewing)('after a preview in $name', ({ plan, index }) => {
  test('writing opens the phase that is there for it', () => {
    const progress = { mode: 'block', index, served: new Set([index]), previewed: new Set([index]) } as const;
    const judgement = judge(plan, progress, { name: 'apply_edit', effect: 'disk' });
    expect(judgement).toEqual({ kind: 'advance', to: index + 1 });
  });
});

test('the skills that change code by a preview have one', () => {
  const names = previewing.map(({ name }) => name);
  expect(names).toEqual([
    'lsp-refactor, speculative_preview',
    'lsp-rename, preview',
    'lsp-safe-edit, speculative_preview',
  ]);
});

/** Calls of the tools that write or may write, and whether these calls do. */
const effects: readonly (readonly [
  tool: string,
  input: Readonly<Record<string, unknown>>,
  writes: boolean,
])[] = [
  ['apply_edit', {}, true],
  ['safe_apply_edit', {}, true],
  ['rename_symbol', {}, true],
  ['rename_symbol', { dry_run: false }, true],
  ['rename_symbol', { dry_run: true }, false],
  ['replace_symbol_body', {}, true],
  ['insert_after_symbol', {}, true],
  ['insert_before_symbol', {}, true],
  ['safe_delete_symbol', {}, true],
  ['execute_command', {}, true],
  ['undo_last_commit', {}, true],
  ['commit_session', {}, false],
  ['commit_session', { apply: true }, true],
  ['commit_session', { apply: true, target: 'patch' }, false],
  ['commit_session', { target: 'disk' }, true],
  ['commit_session', { target: 'out' }, true],
  ['format_document', {}, false],
  ['format_document', { apply: true }, true],
  ['format_range', {}, false],
  ['format_range', { apply: true }, true],
  ['preview_edit', {}, false],
  ['simulate_edit', {}, false],
];

test.each(effects)('%s %j writes: %s', (name, input, writes) => {
  const tool = catalogue.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const least = Object.entries(leastInput(tool)).filter(([key]) => key !== 'apply');
  expect(tool.prepare({ ...Object.fromEntries(least), ...input }).effect === 'disk').toBe(writes);
});
