/** The experiment on tool calls, with a provider whose habits are known. */
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { addBench } from '../../src/cli/bench-tools/bench-program.ts';
import { cellsOf, measureCell, toolsToOffer } from '../../src/cli/bench-tools/emission-experiment.ts';
import { type EmissionPrompt, emissionPrompts } from '../../src/cli/bench-tools/emission-prompt.ts';
import { renderEmissions } from '../../src/cli/bench-tools/emission-table.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { type ScriptedAnswer, ScriptedProvider } from '../support/scripted-provider.ts';
import { dialectProviders, scriptedClient } from '../support/scripted-provider-client.ts';
import { calm } from '../support/world.ts';

const look: EmissionPrompt = { id: 'look', text: 'Show me a.ts', expects: ['Read'] };
const thanks: EmissionPrompt = { id: 'thanks', text: 'Thanks', expects: [] };
const right = { call: 'Read', arguments: { file_path: 'a.ts' } };

const cases: readonly (readonly [string, EmissionPrompt, readonly ScriptedAnswer[]])[] = [
  ['native', look, [[right]]],
  ['salvaged', look, [[{ text: '{"name":"Read","arguments":{"file_path":"a.ts"}}' }]]],
  ['forced', look, [[{ text: 'Sure.' }], [right]]],
  ['none', look, [[{ text: 'Sure.' }], [{ text: 'Sure.' }]]],
  ['wrong tool', look, [[{ call: 'Glob', arguments: { pattern: '*' } }]]],
  ['wrong tool', look, [[{ call: 'Launch', arguments: {} }]]],
  ['invalid args', look, [[{ call: 'Read', arguments: {} }]]],
  ['plain', thanks, [[{ text: 'You are welcome.' }]]],
  ['wrong tool', thanks, [[right]]],
  ['failed', look, [{ status: 400, body: { error: { message: 'no' } } }]],
];

test.each(cases)('an answer is told as %s', async (outcome, prompt, answers) => {
  await using provider = await ScriptedProvider.open();
  provider.answer(...answers);
  const cell = await measure(provider, 'openai', prompt);
  expect(cell.byPrompt).toEqual({ [prompt.id]: { [outcome]: 1 } });
  expect(Object.values(cell.outcomes).reduce((sum, count) => sum + count)).toBe(1);
});

test.each(dialectProviders)(
  'over %s, nothing is required of a provider that does not listen',
  async (name) => {
    await using provider = await ScriptedProvider.open();
    provider.script(() => [{ text: 'Sure.' }]);
    await measure(provider, name, look);
    expect(provider.requests).toHaveLength(name === 'ollama' ? 1 : 2);
  },
);

test('only one knob is turned at a time', () => {
  const plan = { prompts: [look], temperatures: [0, 0.8], toolCounts: [8, 1, 40], repeats: 1, maxTokens: 64 };
  expect(cellsOf(plan)).toEqual([
    { temperature: 0, tools: 8 },
    { temperature: 0.8, tools: 8 },
    { temperature: 0, tools: 1 },
    { temperature: 0, tools: 40 },
  ]);
});

test('as many real tools are offered as asked for, each once, and those the prompts need come first', () => {
  const names = toolsToOffer(catalogue, 40).map(({ name }) => name);
  expect(new Set(names).size).toBe(40);
  const needed = new Set(emissionPrompts.flatMap(({ expects }) => expects));
  expect([...needed].filter((name) => !names.slice(0, 8).includes(name))).toEqual([]);
});

test('the tally is a table', async () => {
  await using provider = await ScriptedProvider.open();
  provider.answer([right], [{ text: 'Sure.' }], [{ text: 'Sure.' }]);
  const cells = [await measure(provider, 'openai', look), await measure(provider, 'openai', look)];
  expect(renderEmissions(cells)).toMatchInlineSnapshot(`
    "model     temp  tools  trials  native  salvaged  forced  plain  none  wrong tool  invalid args  failed  right
    scripted     0      8       1       1         ·       ·      ·     ·           ·             ·       ·   100%
    scripted     0      8       1       ·         ·       ·      ·     1           ·             ·       ·     0%
    "
  `);
});

test('the command reads its knobs as lists', async () => {
  const program = new Command('forerun').exitOverride();
  const lifetime = { signal: calm, closing: () => {} };
  addBench(program, { lifetime, finish: () => {}, log: () => silentLog, milliseconds: Number });
  const tools = program.commands[0]?.commands[0];
  tools?.action(() => {});
  await program.parseAsync(['bench', 'tools', '--temperature', '0', '1', '--tools', '4'], { from: 'user' });
  expect(tools?.opts()).toMatchObject({ temperature: [0, 1], tools: [4], repeat: 3 });
});

function measure(
  provider: ScriptedProvider,
  name: (typeof dialectProviders)[number],
  prompt: EmissionPrompt,
): ReturnType<typeof measureCell> {
  const plan = { prompts: [prompt], temperatures: [0], toolCounts: [8], repeats: 1, maxTokens: 64 };
  const tools = toolsToOffer(catalogue, 8);
  const model = { client: scriptedClient(provider, name), model: 'scripted' };
  return measureCell(model, { knobs: { temperature: 0, tools: 8 }, plan, tools }, calm);
}
