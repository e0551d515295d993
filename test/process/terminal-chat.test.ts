/** A person at a terminal, with an agent that works ahead of them. */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptedAnswer } from '../support/scripted-provider.ts';
import { asksForSuggestion, lastSaid, TerminalTrial } from '../support/terminal-trial.ts';

const files = {
  'package.json': '{ "type": "module" }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "noEmit": true, "module": "preserve" } }\n',
  'math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
};

const read: ScriptedAnswer = [{ call: 'Read', arguments: { file_path: 'math.ts' } }];

function edit(from: string, to: string): ScriptedAnswer {
  const change = { file_path: 'math.ts', old_string: from, new_string: to };
  return [{ call: 'Edit', arguments: change, id: `edit-${from.length}-${to.length}` }];
}

const silence: ScriptedAnswer = [{ text: 'silence' }];

test('asks, streams, edits with permission, shows the diff, and leaves', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  provider.script(() => silence);
  const shown = trial.start();
  await shown.untilPrompt();
  provider.answer(
    [{ text: 'Reading **it**.\n' }, ...(Array.isArray(read) ? read : [])],
    edit('a + b', 'b + a'),
    [{ text: '# Done\n\n- swapped `a` and `b`\n' }],
  );
  shown.press('swap the operands\r');
  await shown.untilText('Edit math.ts?');
  expect(shown.text).toContain('a always: Edit(**)');
  expect(shown.lines).toContain('-a + b');
  expect(shown.lines).toContain('+b + a');
  expect(await trial.read('math.ts')).toBe(files['math.ts']);
  shown.press('y\r');
  await shown.untilText('• swapped a and b');
  await shown.untilPrompt();
  expect(await trial.read('math.ts')).toContain('return b + a;');
  expect(shown.lines).toContain('+  return b + a;');
  expect(shown.lines).toContain('● Edit math.ts (2 lines, Ctrl+O)');
  expect(shown.styleOf('+  return b + a;').colour).toBe(2);
  expect(shown.styleOf('Done').isBold).toBe(true);
  expect(shown.text).not.toContain('Edit math.ts?');
  expect(shown.lines).toContain('  ✓ 0 errors introduced');

  shown.press('\u000f');
  await shown.untilText('│ Edited math.ts');
  shown.press('\u000f');
  await shown.until(({ text }) => !text.includes('│ Edited math.ts'), 'the output folded away');

  shown.press('/undo\r');
  await shown.untilText('Undone: math.ts');
  expect(await trial.read('math.ts')).toBe(files['math.ts']);

  await shown.untilPrompt();
  shown.press('\u0003');
  await shown.untilText('Ctrl+C again leaves');
  shown.press('\u0003');
  expect(await shown.exited).toBe(0);
});

test('a suggestion appears dimmed with its verdict; Tab and Enter make it real', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  provider.script((request) => {
    if (asksForSuggestion(request)) return [{ text: 'rename b to c' }];
    return [{ text: 'nothing to do' }];
  });
  const shown = trial.start({ words: ['--mode', 'acceptEdits'] });
  await shown.untilPrompt();
  provider.answer(read, [{ text: 'It adds two numbers.' }]);
  provider.answer([{ text: 'rename b to c' }]);
  provider.answer(edit('b: number): number {\n  return a + b', 'c: number): number {\n  return a + c'), [
    { text: 'Renamed b to c.' },
  ]);
  shown.press('what is in math.ts?\r');
  await shown.untilText('rename b to c  ⇥ Tab  1 file, 0 errors introduced');
  expect(shown.cursor).toMatchObject({ before: '> ' });
  expect(shown.styleOf('rename b to c').isDim).toBe(true);
  expect(await trial.read('math.ts')).toBe(files['math.ts']);

  shown.press('ren');
  await shown.until(({ cursor }) => cursor.before === '> ren', 'what was typed');
  expect(shown.cursor.line).toMatch(/^> rename b to c {2}⇥ Tab/);
  shown.press('\t');
  await shown.until(({ cursor }) => cursor.before === '> rename b to c', 'the suggestion in the prompt');
  expect(await trial.read('math.ts')).toBe(files['math.ts']);
  shown.press('\r');
  await shown.untilText('Renamed b to c.');
  await shown.untilPrompt();
  expect(await trial.read('math.ts')).toBe(files['math.ts'].replaceAll(/\bb\b/g, 'c'));
  expect(shown.lines).toContain('+  return a + c;');
});

test('work that stops where the user must be asked goes on from there, and asks', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start();
  await shown.untilPrompt();
  provider.answer([{ text: 'Hello.' }], [{ text: 'swap the operands' }], read, edit('a + b', 'b + a'));
  shown.press('hello\r');
  await shown.untilText('⇥ Tab  no files changed, stops before math.ts');
  provider.answer(edit('a + b', 'b + a'), [{ text: 'Swapped.' }], silence);
  shown.press('\t\r');
  await shown.untilText('Edit math.ts?');
  expect(shown.lines).toContain('● Read math.ts (3 lines, Ctrl+O)');
  expect(await trial.read('math.ts')).toBe(files['math.ts']);
  shown.press('y\r');
  await shown.untilText('Swapped.');
  expect(await trial.read('math.ts')).toContain('b + a');
});

test('a suggestion taken before the work on it is done is asked for at once', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start();
  await shown.untilPrompt();
  provider.answer([{ text: 'Hello.' }], [{ text: 'explain the file' }], read);
  const reached = new Promise<void>((resolve) => {
    provider.script(() => {
      resolve();
      return [{ text: 'Never heard' }, { until: new Promise(() => {}) }];
    });
  });
  shown.press('hello\r');
  await shown.untilText('explain the file  ⇥ Tab  working ahead …');
  await reached;
  provider.answer([{ text: 'It adds two numbers.' }], silence);
  shown.press('\t\r');
  await shown.untilText('It adds two numbers.');
  expect(await provider.requests[3]?.over).toBe('left');
  expect(shown.text).not.toContain('Never heard');
});

test('another key makes the suggestion vanish without trace', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--mode', 'acceptEdits'] });
  await shown.untilPrompt();
  provider.answer([{ text: 'Hello.' }], [{ text: 'write a new file' }]);
  provider.answer(
    [{ call: 'Write', arguments: { file_path: 'made.ts', content: 'export {};\n' } }],
    [{ text: 'Made.' }],
  );
  shown.press('hello\r');
  await shown.untilText('⇥ Tab  1 file');
  shown.press('x');
  await shown.until(({ cursor }) => cursor.line === '> x', 'the prompt with what was typed alone');
  expect(shown.text).not.toContain('write a new file');
  expect(await readdir(trial.scratch.workspace.root)).not.toContain('made.ts');
  provider.answer([{ text: 'You said x.' }], silence);
  shown.press('\r');
  await shown.untilText('You said x.');
  const spoken = provider.requests.findLast((request) => !asksForSuggestion(request));
  expect(spoken?.body).not.toContain('made.ts');
  expect(spoken && lastSaid(spoken).text).toContain('x');
});

test('Enter on an empty prompt sends nothing, and Escape dismisses', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start();
  await shown.untilPrompt();
  provider.answer([{ text: 'Hello.' }], [{ text: 'run the tests' }], [{ text: 'There are none.' }]);
  shown.press('hello\r');
  await shown.untilText('⇥ Tab  no files changed');
  const before = provider.requests.length;
  shown.press('\r\u001b');
  await shown.until(({ text }) => !text.includes('⇥ Tab'), 'no suggestion');
  expect(provider.requests.length).toBe(before);
  expect(shown.cursor.line).toBe('>');
});

test('Ctrl+C interrupts a turn, and what was said stays', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  provider.answer([{ text: 'Thinking about it' }, { until: new Promise(() => {}) }]);
  shown.press('go\r');
  await shown.untilText('Thinking about it');
  shown.press('\u0003');
  await shown.untilText('interrupted');
  await shown.untilPrompt();
  expect(await provider.requests[0]?.over).toBe('left');
  provider.answer([{ text: 'Still here.' }]);
  shown.press('and now?\r');
  await shown.untilText('Still here.');
  expect(provider.requests).toHaveLength(2);
});

test('a conversation is resumed as it was seen, and what was typed is remembered for its user alone', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const first = trial.start({ words: ['--no-speculation'] });
  await first.untilPrompt();
  provider.answer(read, [{ text: 'It *adds*.' }]);
  first.press('what does it do?\r');
  await first.untilText('It adds.');
  await first.untilPrompt();
  first.press('/exit\r');
  expect(await first.exited).toBe(0);

  const second = trial.start({ words: ['--resume', '--no-speculation'] });
  await second.untilPrompt();
  await second.untilText('It adds.');
  expect(second.lines).toContain('> what does it do?');
  expect(second.lines).toContain('● Read math.ts (3 lines, Ctrl+O)');
  second.press('\u000f');
  await second.untilText('│      1    export function add');
  second.press('\u000f\u001b[A\u001b[A');
  await second.until(({ cursor }) => cursor.before === '> what does it do?', 'what was typed before');
  const history = join(trial.home, 'state', 'forerun', 'history');
  const [name = ''] = await readdir(history);
  expect((await stat(join(history, name))).mode & 0o777).toBe(0o600);
});

test('a narrower terminal is drawn anew, with nothing left behind', async () => {
  await using trial = await TerminalTrial.open(files);
  const shown = trial.start({ words: ['--no-speculation'], columns: 80, rows: 24 });
  await shown.untilPrompt();
  const text = 'a prompt that is quite long and goes on for more than forty columns 日本語';
  shown.press(`\u001b[200~${text}\u001b[201~`);
  await shown.until(({ cursor }) => cursor.before.endsWith('日本語'), 'the pasted text');
  shown.resize(40, 24);
  await shown.until(({ lines }) => lines.filter((each) => each.startsWith('  ')).length === 1, 'two lines');
  expect(shown.lines.filter((each) => each.startsWith('> a prompt'))).toHaveLength(1);
  expect(shown.lines.filter((each) => each.includes('/help'))).toHaveLength(1);
});

test('without colour nothing is coloured, and the suggestion is told by its mark', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ env: { NO_COLOR: '1' } });
  await shown.untilPrompt();
  provider.answer([{ text: '**Hello**.' }], [{ text: 'run the tests' }], [{ text: 'There are none.' }]);
  shown.press('hello\r');
  await shown.untilText('run the tests  ⇥ Tab  no files changed');
  expect(shown.text).toContain('**Hello**.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be among them
  expect(shown.sent).not.toMatch(/\u001b\[[\d;]*m/);
});

test('a dumb terminal gets plain lines, is asked in lines, and no suggestion', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ env: { TERM: 'dumb' } });
  await shown.untilText('>');
  provider.answer(read, edit('a + b', 'b + a'), [{ text: 'Swapped.' }]);
  shown.press('swap\r');
  await shown.untilText('n no');
  shown.press('y\r');
  await shown.untilText('Swapped.');
  expect(await trial.read('math.ts')).toContain('b + a');
  expect(shown.sent).not.toContain('\u001b');
  shown.press('\u0004');
  expect(await shown.exited).toBe(0);
  expect(provider.requests.filter(asksForSuggestion)).toEqual([]);
});

test('Enter on an empty prompt runs the suggestion for whoever turned that on', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const settings = join(trial.home, 'config', 'forerun');
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'settings.json'), '{ "speculation": { "enterRuns": true } }');
  const shown = trial.start();
  await shown.untilPrompt();
  provider.answer([{ text: 'Hello.' }], [{ text: 'run the tests' }], [{ text: 'There are none.' }], silence);
  shown.press('hello\r');
  await shown.untilText('⇥ Tab  no files changed');
  shown.press('\r');
  await shown.untilText('There are none.');
  expect(shown.lines).toContain('> run the tests');
});

test('a chat that may spend nothing on working ahead does not guess', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const settings = join(trial.home, 'config', 'forerun');
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'settings.json'), '{ "speculation": { "sessionTokens": 0 } }');
  const shown = trial.start();
  await shown.untilPrompt();
  for (const word of ['one', 'two']) {
    provider.answer([{ text: `Heard ${word}.` }]);
    shown.press(`${word}\r`);
    await shown.untilText(`Heard ${word}.`);
    await shown.untilPrompt();
  }
  expect(provider.requests.filter(asksForSuggestion)).toEqual([]);
});

test('work that a file was changed under is not used: the input is asked anew', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--mode', 'acceptEdits'] });
  await shown.untilPrompt();
  provider.answer(read, [{ text: 'It adds.' }], [{ text: 'swap the operands' }]);
  provider.answer(edit('a + b', 'b + a'), [{ text: 'Swapped ahead.' }]);
  shown.press('look\r');
  await shown.untilText('⇥ Tab  1 file');
  await writeFile(trial.scratch.at('math.ts'), 'export const changed = true;\n');
  provider.answer([{ text: 'Somebody changed it.' }], silence);
  shown.press('\t\r');
  await shown.untilText('Somebody changed it.');
  expect(shown.text).toContain('math.ts changed in the meantime; asking again.');
  expect(shown.text).not.toContain('Swapped ahead.');
  expect(await trial.read('math.ts')).toBe('export const changed = true;\n');
});

test('what is allowed always is not asked about again, also when resumed; Ctrl+C at a question writes nothing', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  provider.answer(read, edit('a + b', 'b + a'));
  shown.press('swap\r');
  await shown.untilText('Edit math.ts?');
  shown.press('\u0003');
  await shown.untilText('interrupted');
  await shown.untilPrompt();
  expect(await trial.read('math.ts')).toBe(files['math.ts']);
  provider.answer(edit('a + b', 'b + a'), edit('b + a', 'a - b'), [{ text: 'Both done.' }]);
  shown.press('do it\r');
  await shown.untilText('Edit math.ts?');
  shown.press('a\r');
  await shown.untilText('Both done.');
  await shown.untilPrompt();
  expect(await trial.read('math.ts')).toContain('a - b');
  shown.press('/exit\r');
  expect(await shown.exited).toBe(0);

  const resumed = trial.start({ words: ['--resume', '--no-speculation'] });
  await resumed.untilPrompt();
  provider.answer(edit('a - b', 'b - a'), [{ text: 'Turned round.' }]);
  resumed.press('turn it round\r');
  await resumed.untilText('Turned round.');
  expect(await trial.read('math.ts')).toContain('b - a');
});

test('several lines are one input, and an answer is laid out for eighty columns', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  const row = '| 日本語 | a cell with many words that does not fit into the terminal beside the other one |';
  const answer = `| word | meaning |\n|---|---|\n${row}\n\n${'長い文'.repeat(30)}\n\nend`;
  provider.answer([{ text: answer }]);
  shown.press('first\\\rsecond\u001b\rthird\r');
  await shown.untilText('end');
  await shown.untilPrompt();
  expect(provider.requests.map((request) => lastSaid(request).text)[0]).toContain('first\nsecond\nthird');
  expect(shown.lines.slice(shown.lines.indexOf('word   │ meaning'))).toMatchInlineSnapshot(`
    [
      "word   │ meaning",
      "───────┼───────────────────────────────────────────────────────────────────────",
      "日本語 │ a cell with many words that does not fit into the terminal beside the",
      "       │ other one",
      "",
      "長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文",
      "長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文長い文",
      "長い文長い文長い文長い文",
      "",
      "end",
      ">",
      "default · scripted · /help",
    ]
  `);
});

test('help fits the screen, and a command that does not exist is told', async () => {
  await using trial = await TerminalTrial.open(files);
  const shown = trial.start({ words: ['--no-speculation'], rows: 40 });
  await shown.untilPrompt();
  shown.press('/help\r');
  await shown.untilText('twice on an empty prompt');
  await shown.untilPrompt();
  shown.press('/nothing\r');
  await shown.untilText('[terminal/unknown-command]');
  await shown.untilPrompt();
  expect(shown.text).toMatchInlineSnapshot(`
    "
    > /help
      /help                   list the commands and keys
      /model [name]           show or change the model
      /mode [default|acceptEdits|plan|bypassPermissions]
                              show or change the permission mode
      /clear                  start a new conversation
      /compact                summarise the conversation to free context
      /resume [id]            continue an earlier conversation, or list them
      /todo                   show the agent's todo list
      /diff                   show all changes
      /undo                   undo the last change of files
      /speculation on|off     turn speculation on or off
      /stats                  show what speculation saved and cost
      /exit                   leave
      Enter                   send
      Alt+Enter, \\ Enter      another line
      Tab                     take the suggestion
      Escape                  dismiss the suggestion
      Ctrl+O                  expand or collapse the last output
      Ctrl+C                  interrupt; twice on an empty prompt: quit

    > /nothing
    there is no command /nothing
      Enter /help for a list. [terminal/unknown-command]
    >
    default · scripted · /help"
  `);
});

test('an edit that breaks another file says where, and /diff shows all that was changed', async () => {
  const app = "import { add } from './math';\n\nexport const sum: number = add(1, 2);\n";
  await using trial = await TerminalTrial.open({ ...files, 'app.ts': app });
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation', '--mode', 'acceptEdits'] });
  await shown.untilPrompt();
  provider.answer(read, edit('a: number', 'a: boolean'), edit('a + b', 'b'), [{ text: 'Broken now.' }]);
  shown.press('break it\r');
  await shown.untilText('Broken now.');
  await shown.untilPrompt();
  expect(shown.text).toMatch(/✗ \d errors? introduced/);
  expect(shown.text).toContain('app.ts:3:32 error');
  shown.press('/diff\r');
  await shown.until(
    ({ lines }) => lines.filter((each) => each === 'math.ts +2 -2').length === 1,
    'the whole diff',
  );
});

test('mode, model and conversation can be changed on the way', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  const steps = [{ content: 'look', status: 'in_progress' }];
  provider.answer([{ call: 'TodoWrite', arguments: { todos: steps } }], [{ text: 'Noted.' }]);
  shown.press('remember the colour blue\r');
  await shown.untilText('Noted.');
  const ask = async (text: string, answer: string): Promise<void> => {
    await shown.untilPrompt();
    shown.press(`${text}\r`);
    await shown.untilText(answer);
  };
  await ask('/todo', '[~] look');
  await ask('/mode plan', 'plan · scripted');
  await ask('/mode nonsense', '[terminal/bad-argument]');
  await ask('/model other', 'plan · other');
  provider.answer([{ text: 'Blue.' }]);
  await ask('which colour?', 'Blue.');
  expect(provider.requests.at(-1)?.json.model).toBe('other');
  expect(provider.requests.at(-1)?.body).toContain('remember the colour blue');
  provider.answer([{ text: 'They like blue.' }]);
  await ask('/compact', '(summed up)');
  await ask('/stats', 'No speculation');
  await ask('/speculation on', 'speculation: on');
  await ask('/speculation off', 'speculation: off');
  await ask('/clear', 'A new conversation.');
  const listed = /([0-9a-f]{8}) {2}\d{4}-/;
  shown.press('/resume\r');
  await shown.until(({ text }) => listed.test(text), 'a list of conversations');
  const [, id = ''] = listed.exec(shown.text) ?? [];
  await ask(`/resume ${id}`, '(summarised here)');
  await ask('/resume ffffffff', '[storage/no-such-transcript]');
});

test('a conversation that does not exist ends the chat with the reason', async () => {
  await using trial = await TerminalTrial.open(files);
  const shown = trial.start({ words: ['--resume', 'ffffffff'] });
  expect(await shown.exited).toBe(2);
  expect(shown.lines.join('')).toContain('[storage/no-such-transcript]');
});

test('what is sent while a turn runs waits for its end, and comes back when it is interrupted', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  provider.answer(
    [{ text: 'First' }, { until: released }, { text: ' done.' }],
    [{ text: 'Second' }, { until: new Promise(() => {}) }],
  );
  shown.press('one\r');
  await shown.untilText('First');
  shown.press('two\r');
  await shown.untilText('next: two');
  release();
  await shown.untilText('Second');
  expect(shown.lines).toContain('> two');
  shown.press('three\r');
  await shown.untilText('next: three');
  shown.press('\u0003');
  await shown.until(({ cursor }) => cursor.before === '> three', 'what was waiting in the prompt');
  expect(provider.requests).toHaveLength(2);
});

test('a terminal is left as it was found, whatever ends the chat', async () => {
  await using trial = await TerminalTrial.open(files);
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  shown.press('half a thou');
  await shown.until(({ cursor }) => cursor.before === '> half a thou', 'what was typed');
  await shown.end();
  expect(await shown.exited).toBe(143);
  expect(shown.sent.split('\u001b[?2004l')).toHaveLength(2);
});
