/** Skills as an agent meets them: prompts, and phases held over a connection, with the official client. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { shippedSkills } from '../../src/host/shipped-skills.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { type Answer, McpConnection } from '../support/mcp-connection.ts';

let connection: McpConnection;
let ts: Fixture;

beforeAll(async () => {
  [connection, ts] = await Promise.all([McpConnection.open(), openFixture('ts-two-modules')]);
});

afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await ts[Symbol.asyncDispose]();
});

/** Does the work while a skill is enforced, and lifts the enforcement whatever happens. */
async function enforced(skill: string, mode: string | undefined, work: () => Promise<void>): Promise<void> {
  const activated = await connection.call('activate_skill', { skill_name: skill, ...(mode && { mode }) });
  expect(activated.json).toMatchObject({ status: 'activated', skill, mode: mode ?? 'warn' });
  try {
    await work();
  } finally {
    expect((await connection.call('deactivate_skill')).json).toEqual({ status: 'deactivated' });
  }
}

describe('prompts', () => {
  test('every skill is listed by name, in order, with its arguments and without its text', async () => {
    const { prompts } = await connection.client.listPrompts();
    const skills = await shippedSkills(silentLog);
    expect(prompts.map(({ name }) => name)).toEqual(skills.map(({ name }) => name));
    expect(prompts.find(({ name }) => name === 'lsp-test-correlation')).toEqual({
      name: 'lsp-test-correlation',
      description: 'Find the tests that cover a changed file, and run only those.',
      arguments: [
        { name: 'file-path', required: true },
        { name: 'run=true', required: false },
      ],
    });
    expect(prompts.find(({ name }) => name === 'lsp-simulate')?.arguments).toEqual([]);
  });

  test('a prompt is the text of its skill', async () => {
    const { description, messages } = await connection.client.getPrompt({ name: 'lsp-rename' });
    const skill = (await shippedSkills(silentLog)).find(({ name }) => name === 'lsp-rename');
    expect(description).toBe(skill?.description);
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: skill?.body } }]);
    expect(skill?.body).toMatch(/^# Rename\n/);
  });

  test('arguments stand before the text, in the order of the skill', async () => {
    const given = { zeta: 'z', 'new-name': 'b', 'old-name': 'a' };
    const { messages } = await connection.client.getPrompt({ name: 'lsp-rename', arguments: given });
    const content = messages[0]?.content;
    expect(content?.type === 'text' && content.text).toMatch(
      /^Arguments: old-name: a, new-name: b, zeta: z\n\n# Rename\n/,
    );
  });

  test('an unknown prompt is an error', async () => {
    await expect(connection.client.getPrompt({ name: 'lsp-nothing' })).rejects.toThrow(
      /unknown prompt: lsp-nothing/,
    );
  });
});

describe('capabilities', () => {
  test('every skill is sorted by what the server can do', async () => {
    const answer = await connection.call('get_server_capabilities', { file_path: ts.file('math.ts') });
    const skills = answer.json?.skills;
    expect(skills).toHaveLength((await shippedSkills(silentLog)).length);
    expect(skills).toContainEqual({ name: 'lsp-rename', status: 'supported' });
  });
});

describe('phases', () => {
  const quote = () => ({ file_path: ts.file('math.ts'), old_text: 'a / 2', new_text: 'a * 0.5' });

  function isViolation({ isError, text }: Answer): boolean {
    return isError && text.startsWith('Phase violation: ');
  }

  test('nothing is enforced until a skill is activated', async () => {
    expect((await connection.call('get_skill_phase')).json).toEqual({
      active: false,
      available_skills: ['lsp-refactor', 'lsp-rename', 'lsp-safe-edit', 'lsp-verify'],
    });
    expect((await connection.call('deactivate_skill')).json).toEqual({ status: 'deactivated' });
  });

  test('activation answers the first phase, and only one skill is active at a time', async () => {
    const activated = await connection.call('activate_skill', { skill_name: 'lsp-refactor', mode: 'block' });
    expect(activated.json).toEqual({
      status: 'activated',
      skill: 'lsp-refactor',
      mode: 'block',
      current_phase: 'blast_radius',
      total_phases: 5,
      allowed_tools: ['blast_radius', 'go_to_symbol', 'find_references'],
      forbidden_tools: ['apply_edit', 'simulate_*', 'preview_edit', 'Edit', 'Write', 'rename_symbol'],
    });
    expect(activated.content).toHaveLength(1);
    const again = await connection.call('activate_skill', { skill_name: 'lsp-rename' });
    expect(again).toMatchObject({
      isError: true,
      text: 'skill "lsp-refactor" is already active; call deactivate_skill first',
    });
    await connection.call('deactivate_skill');
  });

  test.each<[args: Readonly<Record<string, unknown>>, sentence: string]>([
    [
      { skill_name: 'lsp-docs' },
      'unknown skill "lsp-docs"; available skills: [lsp-refactor, lsp-rename, lsp-safe-edit, lsp-verify]',
    ],
    [{}, 'skill_name is required'],
    [{ skill_name: 'lsp-rename', mode: 'loud' }, 'mode must be one of: warn, block, strict'],
  ])('activation with %j says what is wrong', async (args, sentence) => {
    expect(await connection.call('activate_skill', args)).toMatchObject({ isError: true, text: sentence });
  });

  test('block refuses with reason, recovery and the same for programs; the file stays as it was', async () => {
    const before = await ts.read('math.ts');
    await enforced('lsp-refactor', 'block', async () => {
      const refused = await connection.call('apply_edit', quote());
      expect(refused.isError).toBe(true);
      const [head, recovery, json] = refused.text.split('\n\n');
      expect(head).toBe('Phase violation: apply_edit is forbidden in the "blast_radius" phase');
      expect(recovery).toBe(
        'Recovery: apply_edit is allowed in the "apply" phase. To enter the next phase, "speculative_preview", call one of: open_document, get_diagnostics.',
      );
      expect(JSON.parse(json ?? '')).toEqual({
        error: 'phase_violation',
        tool: 'apply_edit',
        skill: 'lsp-refactor',
        current_phase: 'blast_radius',
        reason: head?.replace('Phase violation: ', ''),
        recovery: recovery?.replace('Recovery: ', ''),
      });
    });
    expect(await ts.read('math.ts')).toBe(before);
  });

  test('no alias, prefix or second tool for writing slips through', async () => {
    const before = await ts.read('math.ts');
    await enforced('lsp-refactor', 'block', async () => {
      const tries: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
        ['mcp__lsp__apply_edit', quote()],
        ['safe_apply_edit', quote()],
        ['safe_edit', { ...quote(), force: true }],
        ['simulate_edit_atomic', { file_path: ts.file('math.ts'), new_text: '' }],
        ['commit_session', { session_id: 'any', apply: true }],
        ['commit_session', { session_id: 'any', target: 'disk' }],
        ['format_document', { file_path: ts.file('math.ts'), apply: true }],
        ['execute_command', { command: 'anything' }],
      ];
      for (const [tool, args] of tries) {
        expect(isViolation(await connection.call(tool, args)), tool).toBe(true);
      }
      const patch = await connection.call('commit_session', { session_id: 'any' });
      expect(patch.text).toBe('commit_session failed: session not found: any');
    });
    expect(await ts.read('math.ts')).toBe(before);
  });

  test('nor does a call through the tool that calls others', async () => {
    await using core = await McpConnection.open({ words: ['--toolset', 'core'] });
    const skill = { skill_name: 'lsp-refactor', mode: 'block' };
    const activated = await core.call('call_tool', { name: 'activate_skill', arguments: skill });
    expect(activated.json).toMatchObject({ status: 'activated' });
    expect(isViolation(await core.call('call_tool', { name: 'apply_edit', arguments: quote() }))).toBe(true);
    expect(isViolation(await core.call('safe_apply_edit', quote()))).toBe(true);
    expect(await ts.read('math.ts')).toContain('a / 2');
  });

  test('warn is the default: the call goes ahead and its answer carries the warning apart', async () => {
    await enforced('lsp-safe-edit', undefined, async () => {
      const warned = await connection.call('apply_edit', quote());
      expect(warned).toMatchObject({ isError: false, text: 'Edit applied successfully' });
      expect(warned.content.filter((item) => item.startsWith('Phase violation: '))).toHaveLength(1);
      expect(await ts.read('math.ts')).toContain('a * 0.5');
      await connection.call('apply_edit', { ...quote(), old_text: 'a * 0.5', new_text: 'a / 2' });
    });
  });

  test('strict refuses to leave a phase out', async () => {
    await enforced('lsp-verify', 'strict', async () => {
      const early = await connection.call('get_diagnostics', { file_path: ts.file('math.ts') });
      expect(early.text).toMatch(
        /^Phase violation: get_diagnostics would skip the "test_correlation" phase\n\nRecovery: Tools of the "test_correlation" phase: get_tests_for_file\./,
      );
      await connection.call('get_tests_for_file', { file_path: ts.file('math.ts') });
      const now = await connection.call('get_diagnostics', { file_path: ts.file('math.ts') });
      expect(now.isError).toBe(false);
      expect((await connection.call('get_skill_phase')).json).toEqual({
        active: true,
        skill_name: 'lsp-verify',
        current_phase: 'diagnostics',
        phase_index: 1,
        total_phases: 5,
        mode: 'strict',
        allowed_tools: ['start_lsp', 'get_diagnostics'],
        forbidden_tools: ['apply_edit', 'Edit', 'Write', 'simulate_*', 'preview_edit', 'rename_symbol'],
        tool_history: ['get_diagnostics', 'get_tests_for_file', 'get_diagnostics'],
      });
    });
  });

  test('another connection is not held to the skill of this one', async () => {
    await using other = await McpConnection.open();
    await enforced('lsp-rename', 'block', async () => {
      expect((await other.call('get_skill_phase')).json).toMatchObject({ active: false });
    });
  });
});

/** Each enforced skill, followed as its text says, under the strictest mode: nothing it asks for is refused. */
describe('followed to the letter', () => {
  type Step = readonly [tool: string, args: (at: Fixture) => Readonly<Record<string, unknown>>];
  const math = (at: Fixture) => ({ file_path: at.file('math.ts') });
  const half = (at: Fixture) => ({ ...math(at), position_pattern: 'function @@half' });
  const edit = (at: Fixture) => ({
    ...math(at),
    start_line: 6,
    start_column: 10,
    end_line: 6,
    end_column: 15,
    new_text: 'a * 0.5',
    scope: 'workspace',
    timeout_ms: 60_000,
  });
  const quote = (at: Fixture) => ({ ...math(at), old_text: 'a / 2', new_text: 'a * 0.5' });
  const place = (at: Fixture) => ({ workspace_dir: at.root });

  const runs: readonly (readonly [skill: string, steps: readonly Step[], contains: string])[] = [
    [
      'lsp-rename',
      [
        ['go_to_symbol', () => ({ symbol_path: 'half' })],
        ['prepare_rename', half],
        ['find_references', (at) => ({ ...half(at), include_declaration: true })],
        ['rename_symbol', (at) => ({ ...half(at), new_name: 'halve', dry_run: true })],
        ['get_diagnostics', math],
        ['rename_symbol', (at) => ({ ...half(at), new_name: 'halve' })],
        ['get_diagnostics', math],
      ],
      'function halve',
    ],
    [
      'lsp-refactor',
      [
        ['find_references', (at) => ({ ...half(at), include_declaration: false })],
        ['blast_radius', (at) => ({ changed_files: [at.file('math.ts')] })],
        ['open_document', math],
        ['get_diagnostics', math],
        ['preview_edit', edit],
        ['format_document', math],
        ['apply_edit', quote],
        ['get_diagnostics', math],
        ['run_build', place],
        ['get_tests_for_file', math],
        ['run_tests', place],
      ],
      'a * 0.5',
    ],
    [
      'lsp-safe-edit',
      [
        ['open_document', math],
        ['get_diagnostics', math],
        ['preview_edit', edit],
        ['get_diagnostics', math],
        ['apply_edit', quote],
        ['get_diagnostics', math],
      ],
      'a * 0.5',
    ],
    [
      'lsp-verify',
      [
        ['get_tests_for_file', math],
        ['get_diagnostics', math],
        ['run_build', place],
        ['run_tests', place],
        ['get_diagnostics', math],
        [
          'suggest_fixes',
          (at) => ({ ...math(at), start_line: 6, start_column: 1, end_line: 6, end_column: 5 }),
        ],
        ['apply_edit', quote],
      ],
      'a * 0.5',
    ],
  ];

  test.each(runs)('%s', async (skill, steps, contains) => {
    await using fixture = await openFixture('ts-two-modules');
    connection.trust(fixture.root);
    await connection.call('start_lsp', { root_dir: fixture.root, language_id: 'typescript' });
    await enforced(skill, 'strict', async () => {
      for (const [tool, args] of steps) {
        const answer = await connection.call(tool, args(fixture));
        // Tests and builds of a bare fixture may fail; what matters is that the gate let them run.
        expect(answer.text, tool).not.toMatch(/^Phase violation/);
      }
      const status = await connection.call('get_skill_phase');
      expect(status.json?.phase_index).toBe(Number(status.json?.total_phases) - 1);
      expect(status.json?.tool_history).toEqual(steps.map(([tool]) => tool));
    });
    expect(await fixture.read('math.ts')).toContain(contains);
  });
});
