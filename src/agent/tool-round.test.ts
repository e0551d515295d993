import { expect, test } from 'vitest';
import { z } from 'zod';
import { AgentTrial } from '../../test/support/agent-trial.ts';
import { calm } from '../../test/support/world.ts';
import type { ToolCallPart } from '../model/message.ts';
import { word } from '../tools/parameter.ts';
import { defineTool } from '../tools/tool.ts';
import { textResult } from '../tools/tool-result.ts';
import type { AgentTool } from './agent-context.ts';
import { type RoundOutcome, runCalls } from './tool-round.ts';

/** Tools that log when they begin and end; `meet` waits until two calls have begun. */
function notingTools(log: string[]): readonly AgentTool[] {
  const input = z.object({ name: word('Which.') });
  let arrived = 0;
  let open = (): void => {};
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  const noting = (name: string, effect: 'reads' | 'overlay', wait: () => Promise<void>): AgentTool =>
    defineTool({
      name,
      title: name,
      description: name,
      effect,
      input,
      async handle(_context, { name: which }) {
        log.push(`${which} begins`);
        await wait();
        log.push(`${which} ends`);
        return textResult(which);
      },
    });
  const meeting = async (): Promise<void> => {
    arrived += 1;
    if (arrived === 2) open();
    await both;
  };
  return [noting('meet', 'reads', meeting), noting('change', 'overlay', async () => {})];
}

async function round(log: string[], ...calls: readonly (readonly [string, string])[]): Promise<RoundOutcome> {
  await using trial = await AgentTrial.open({}, { agent: { tools: notingTools(log) } });
  const parts = calls.map(
    ([name, which], index): ToolCallPart => ({
      kind: 'tool-call',
      id: String(index),
      name,
      input: { kind: 'object', value: { name: which } },
    }),
  );
  return await runCalls(trial.begin(), { calls: parts, origins: new Map(), emit: () => {} }, calm);
}

test('reads run side by side, changes one after the other, and results keep the order of the calls', async () => {
  const log: string[] = [];
  const { results } = await round(
    log,
    ['meet', 'a'],
    ['meet', 'b'],
    ['change', 'c'],
    ['change', 'd'],
    ['meet', 'e'],
  );
  expect(log.slice(0, 2)).toEqual(['a begins', 'b begins']);
  expect(log.slice(4)).toEqual(['c begins', 'c ends', 'd begins', 'd ends', 'e begins', 'e ends']);
  expect(results.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('what cannot be called is answered in words, and the rest goes on', async () => {
  const { results } = await round([], ['launch', 'x'], ['change', ''], ['CHANGE', 'c']);
  expect(results.map(({ outcome, text }) => [outcome, text])).toEqual([
    ['failed', 'there is no tool launch. Use one of: meet, change.'],
    ['failed', 'name is required. Call the tool again with "name".'],
    ['done', 'c'],
  ]);
});
