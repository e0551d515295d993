/** The shipped skills keep what they promise to programs: names, tools, arguments, order and requirements. */
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { entryName } from '../../src/cli/setup/config-entry.ts';
import { shippedSkills } from '../../src/host/shipped-skills.ts';
import { enforcementOf } from '../../src/skills/enforcement.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import type { Tool } from '../../src/tools/tool.ts';

const skills = await shippedSkills(silentLog);
const tools: readonly Tool[] = [...catalogue, ...enforcementOf(async () => skills, silentLog).tools];
const names = tools.map(({ name }) => name);
const agentsOwn = ['Edit', 'Write', 'Bash'];

/** How clients prefix our tools: by the key under which `init` registers the server. */
const serverPrefix = `mcp__${entryName}__`;

/** The tools a skill may use, by the names the server gives them. */
function usable(skill: (typeof skills)[number]): readonly string[] {
  return skill.allowedTools.map((name) => name.replace(serverPrefix, ''));
}

function skillNamed(name: string): (typeof skills)[number] {
  const found = skills.find((skill) => skill.name === name);
  if (!found) throw new Error(`no skill ${name}`);
  return found;
}

describe.each(skills.map((skill) => [skill.name, skill] as const))('%s', (name, skill) => {
  test('is named for its folder and says what it is for in one line', () => {
    expect(basename(skill.directory)).toBe(name);
    expect(skill.description).toMatch(/^[A-Z"].{30,180}\.$/);
    expect(skill.body.split('\n').length).toBeLessThan(130);
  });

  test('names the tools by the key that init gives the server', () => {
    const prefixed = skill.allowedTools.filter((tool) => !agentsOwn.includes(tool));
    expect(prefixed.filter((tool) => !tool.startsWith(serverPrefix))).toEqual([]);
  });

  test('uses tools that exist', () => {
    const known = [...names, ...agentsOwn];
    expect(usable(skill).filter((tool) => !known.includes(tool))).toEqual([]);
    const listed = skill.plan?.phases.flatMap(({ allowed, forbidden }) => [...allowed, ...forbidden]) ?? [];
    const exact = [...listed, ...(skill.plan?.globallyForbidden ?? [])].filter((each) => !each.endsWith('*'));
    expect(exact.filter((tool) => !known.includes(tool))).toEqual([]);
  });

  test('writes every call with arguments its tool takes', () => {
    const wrong = callsIn(skill.body).flatMap(({ tool: called, keys }) => {
      const tool = tools.find((each) => each.name === called);
      if (!tool) return [`${called} does not exist`];
      const taken = Object.keys(tool.inputSchema.properties ?? {});
      return keys.filter((key) => !taken.includes(key)).map((key) => `${called} takes no ${key}`);
    });
    expect(wrong).toEqual([]);
  });
});

test('an enforced skill may use whatever its phases allow', () => {
  for (const skill of skills) {
    const allowed = skill.plan?.phases.flatMap((phase) => phase.allowed) ?? [];
    // A rename writes by itself: its phases know apply_edit, its text never uses it.
    const missing = allowed.filter((tool) => !usable(skill).includes(tool) && tool !== 'apply_edit');
    expect(missing, skill.name).toEqual([]);
  }
});

/** The order in which a skill's text leads through its tools, and the tools it must leave alone. */
const orders: readonly (readonly [skill: string, order: string, never: string])[] = [
  ['lsp-cross-repo', 'start_lsp find_symbol get_cross_repo_references', 'apply_edit rename_symbol'],
  ['lsp-dead-code', 'open_document list_symbols find_references', 'apply_edit rename_symbol'],
  ['lsp-docs', 'inspect_symbol get_symbol_documentation', 'apply_edit rename_symbol'],
  ['lsp-edit-export', 'go_to_symbol find_references get_diagnostics run_build', 'rename_symbol'],
  ['lsp-edit-symbol', 'find_symbol replace_symbol_body apply_edit', 'rename_symbol'],
  ['lsp-explore', 'go_to_symbol open_document inspect_symbol find_references', 'apply_edit rename_symbol'],
  ['lsp-extract-function', 'open_document list_symbols suggest_fixes get_diagnostics format_document', ''],
  [
    'lsp-fix-all',
    'open_document get_diagnostics suggest_fixes apply_edit format_document',
    'execute_command',
  ],
  ['lsp-format-code', 'open_document format_document apply_edit', ''],
  ['lsp-generate', 'open_document suggest_fixes execute_command format_document get_diagnostics', ''],
  ['lsp-impact', 'go_to_symbol find_references', 'apply_edit rename_symbol'],
  [
    'lsp-implement',
    'get_server_capabilities go_to_symbol open_document go_to_implementation',
    'apply_edit rename_symbol',
  ],
  [
    'lsp-local-symbols',
    'open_document list_symbols get_document_highlights',
    'apply_edit rename_symbol find_references',
  ],
  [
    'lsp-refactor',
    'activate_skill find_references blast_radius preview_edit apply_edit get_diagnostics run_build run_tests',
    'rename_symbol',
  ],
  ['lsp-rename', 'activate_skill prepare_rename rename_symbol get_diagnostics', 'apply_edit'],
  ['lsp-safe-edit', 'preview_edit apply_edit get_diagnostics', ''],
  ['lsp-simulate', 'create_simulation_session simulate_edit evaluate_session destroy_session', 'apply_edit'],
  ['lsp-test-correlation', 'get_tests_for_file run_tests', ''],
  [
    'lsp-understand',
    'go_to_symbol inspect_symbol find_references get_symbol_source',
    'apply_edit rename_symbol',
  ],
  ['lsp-verify', 'get_tests_for_file get_diagnostics run_build run_tests', 'rename_symbol'],
  ['lsp-inspect', 'start_lsp find_references blast_radius', 'apply_edit rename_symbol'],
  [
    'lsp-architecture',
    'start_lsp detect_lsp_servers find_symbol list_symbols blast_radius',
    'apply_edit rename_symbol',
  ],
  [
    'lsp-onboard',
    'detect_lsp_servers start_lsp find_symbol list_symbols run_build run_tests blast_radius get_diagnostics',
    'apply_edit rename_symbol',
  ],
  ['lsp-concurrency-audit', 'list_symbols blast_radius find_callers', 'apply_edit rename_symbol'],
];

test.each(orders)('%s leads through its tools in order', (name, order, never) => {
  const skill = skillNamed(name);
  const mentioned: readonly string[] = skill.body.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
  let from = 0;
  for (const tool of order.split(' ')) {
    const found = mentioned.indexOf(tool, from);
    expect(found, `${tool} after ${mentioned[from - 1]}`).toBeGreaterThanOrEqual(0);
    from = found + 1;
  }
  expect(never.split(' ').filter((tool) => usable(skill).includes(tool))).toEqual([]);
});

test('every skill has an order to keep', () => {
  expect(orders.map(([name]) => name).sort()).toEqual(skills.map(({ name }) => name));
});

test('what the skills need of a server', async () => {
  const requirements = await enforcementOf(async () => skills, silentLog).requirements();
  const lines = requirements.map(({ name, required, optional }) =>
    `${name}: ${required.join(' ')} | ${optional.join(' ')}`.trimEnd(),
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "lsp-architecture: documentSymbolProvider | workspaceSymbolProvider referencesProvider
    lsp-concurrency-audit: documentSymbolProvider referencesProvider | callHierarchyProvider
    lsp-cross-repo: referencesProvider | implementationProvider callHierarchyProvider workspaceSymbolProvider
    lsp-dead-code: documentSymbolProvider referencesProvider |
    lsp-docs: hoverProvider | definitionProvider
    lsp-edit-export: referencesProvider | workspaceSymbolProvider
    lsp-edit-symbol: workspaceSymbolProvider |
    lsp-explore: hoverProvider | implementationProvider callHierarchyProvider referencesProvider
    lsp-extract-function: codeActionProvider | documentFormattingProvider documentSymbolProvider
    lsp-fix-all: codeActionProvider | documentFormattingProvider
    lsp-format-code: documentFormattingProvider | documentRangeFormattingProvider
    lsp-generate: codeActionProvider | workspaceSymbolProvider documentFormattingProvider
    lsp-impact: referencesProvider | callHierarchyProvider typeHierarchyProvider workspaceSymbolProvider
    lsp-implement: implementationProvider | typeHierarchyProvider workspaceSymbolProvider
    lsp-inspect: documentSymbolProvider referencesProvider | callHierarchyProvider
    lsp-local-symbols: documentSymbolProvider | documentHighlightProvider hoverProvider
    lsp-onboard: documentSymbolProvider | referencesProvider callHierarchyProvider
    lsp-refactor: referencesProvider | documentFormattingProvider
    lsp-rename: referencesProvider renameProvider workspaceSymbolProvider |
    lsp-safe-edit:  | codeActionProvider documentFormattingProvider
    lsp-simulate:  |
    lsp-test-correlation:  | workspaceSymbolProvider
    lsp-understand: hoverProvider | implementationProvider callHierarchyProvider referencesProvider documentSymbolProvider workspaceSymbolProvider
    lsp-verify:  | codeActionProvider documentFormattingProvider"
  `);
});

test('the phases of the enforced skills', () => {
  const lines = skills.flatMap(({ name, plan }) =>
    plan
      ? [
          `${name}, never: ${plan.globallyForbidden.join(' ')}`,
          ...plan.phases.map((phase) => {
            const mark = phase.isOptional ? '?' : '';
            return `  ${phase.name}${mark}: ${phase.allowed.join(' ')} | ${phase.forbidden.join(' ')}`.trimEnd();
          }),
        ]
      : [],
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "lsp-refactor, never: rename_symbol
      blast_radius: blast_radius go_to_symbol find_references | apply_edit simulate_* preview_edit Edit Write
      speculative_preview: open_document get_diagnostics preview_edit simulate_chain | apply_edit Edit Write
      apply: apply_edit format_document Edit Write | simulate_* preview_edit rename_symbol
      build_verification: get_diagnostics run_build | apply_edit Edit Write
      test_execution: get_tests_for_file run_tests | apply_edit Edit Write
    lsp-rename, never: format_document run_tests
      prerequisites?: start_lsp |
      preview: go_to_symbol prepare_rename find_references rename_symbol | apply_edit Edit Write
      execute: get_diagnostics rename_symbol apply_edit | simulate_* preview_edit run_build
    lsp-safe-edit, never: rename_symbol blast_radius
      setup: start_lsp open_document get_diagnostics | apply_edit Edit Write
      speculative_preview: preview_edit simulate_chain | apply_edit Edit Write
      apply?: apply_edit Edit Write | simulate_* preview_edit
      verify_and_fix: get_diagnostics suggest_fixes apply_edit format_document | simulate_* preview_edit run_build run_tests
    lsp-verify, never: simulate_* preview_edit rename_symbol
      test_correlation: get_tests_for_file | apply_edit Edit Write
      diagnostics: start_lsp get_diagnostics | apply_edit Edit Write
      build: run_build | apply_edit Edit Write
      tests: run_tests Bash | apply_edit Edit Write
      fix_and_format: suggest_fixes apply_edit format_document get_diagnostics | simulate_* preview_edit run_build run_tests"
  `);
});

interface WrittenCall {
  readonly tool: string;
  readonly keys: readonly string[];
}

/** Calls as the texts write them: a tool's name and its arguments in braces. */
function callsIn(body: string): readonly WrittenCall[] {
  return [...body.matchAll(/`([a-z]+(?:_[a-z]+)+) \{([^`]*)\}`/g)].map(([, tool = '', inner = '']) => ({
    tool,
    keys: topLevelParts(inner)
      .map((part) => (part.split(':')[0] ?? '').trim())
      .filter((key) => /^[a-z_]+$/.test(key)),
  }));
}

/** The parts between commas that are in no bracket and no quotation. */
function topLevelParts(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '[{'.includes(character)) depth++;
    else if (!isQuoted && ']}'.includes(character)) depth--;
    if (character === ',' && depth === 0 && !isQuoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
