import { describe, expect, test } from 'vitest';
import { withHooks, withoutHooks } from './hook-entry.ts';
import { hookTargets, momentsOf } from './hook-target.ts';

const words = ['forerun', 'hook', '--mode', 'turn'];

function target(id: string) {
  const found = hookTargets.find((each) => each.id === id);
  if (!found) throw new Error(id);
  return found;
}

function written(id: string, mode: 'warn' | 'deny' | 'turn', text?: string, command = words): string {
  const found = target(id);
  return withHooks({ file: 'f', form: found.form, moments: momentsOf(found, mode), words: command }, text);
}

const removed = (id: string, text: string): string | undefined =>
  withoutHooks({ file: 'f', form: target(id).form }, text);

test.each(hookTargets.map(({ id }) => id))(
  '%s: written twice is written once, and removed without a trace',
  (id) => {
    for (const mode of ['warn', 'deny', 'turn'] as const) {
      const once = written(id, mode);
      expect(written(id, mode, once)).toBe(once);
      expect(removed(id, once)).toBeUndefined();
    }
  },
);

test.each<[string, 'warn' | 'deny' | 'turn', readonly string[]]>([
  ['claude-code', 'warn', ['PreToolUse']],
  ['claude-code', 'turn', ['PreToolUse', 'Stop']],
  ['gemini', 'warn', ['AfterTool']],
  ['gemini', 'deny', ['BeforeTool']],
  ['gemini', 'turn', ['BeforeTool', 'AfterAgent']],
  ['cursor', 'warn', ['preToolUse', 'postToolUse']],
])('%s in mode %s is called at %j', (id, mode, events) => {
  expect(Object.keys(JSON.parse(written(id, mode)).hooks)).toEqual(events);
});

describe('hooks of others', () => {
  const mine = { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo hook' }] };
  const before = `{
  // my settings
  "permissions": { "allow": [] },
  "hooks": {
    "PreToolUse": [${JSON.stringify(mine)}],
    "Notification": []
  }
}
`;

  test('stay, and another mode replaces ours alone', () => {
    const once = written('claude-code', 'deny', before);
    const again = written('claude-code', 'turn', once);
    expect(again).toContain('// my settings');
    const { hooks } = JSON.parse(again.replace('// my settings', ''));
    expect(hooks.PreToolUse).toEqual([
      mine,
      { matcher: 'Edit|MultiEdit|Write', hooks: [{ type: 'command', command: 'forerun hook --mode turn' }] },
    ]);
    expect(hooks.Stop).toEqual([{ hooks: [{ type: 'command', command: 'forerun hook --mode turn' }] }]);
    expect(JSON.parse((removed('claude-code', again) ?? '').replace('// my settings', ''))).toEqual(
      JSON.parse(before.replace('// my settings', '')),
    );
  });

  test('in one group with ours stay when ours go', () => {
    const ours = { type: 'command', command: "'/a b/node' /x/bin/forerun.js hook --mode warn" };
    const group = { matcher: 'Write', hooks: [mine.hooks[0], ours] };
    const text = JSON.stringify({ hooks: { PreToolUse: [group] } });
    expect(JSON.parse(removed('claude-code', text) ?? '')).toEqual({
      hooks: { PreToolUse: [{ matcher: 'Write', hooks: mine.hooks }] },
    });
  });

  test('a plugin of another author is not removed', () => {
    expect(removed('opencode', 'export const Mine = 1;\n')).toBe('export const Mine = 1;\n');
  });
});

test.each(['[]', '{', '{"hooks": 1}', '{"hooks": {"Stop": {}}}'])('%s is refused', (text) => {
  expect(() => written('claude-code', 'turn', text)).toThrow(/cannot be read/);
});

test('words with blanks are quoted for the shell', () => {
  const command = ['/a b/node', '/x/forerun.js', 'hook', '--mode', 'warn'];
  const { hooks } = JSON.parse(written('cursor', 'deny', undefined, command));
  expect(hooks.preToolUse[0].command).toBe("'/a b/node' /x/forerun.js hook --mode warn");
});
