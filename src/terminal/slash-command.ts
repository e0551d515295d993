/**
 * The table of slash commands.
 *
 * Invariant: help, completion and execution read this table; anything else is not a command.
 */
import { compact } from '../agent/compaction.ts';
import type { Conversation } from '../agent/conversation.ts';
import { permissionModes } from '../agent/permission/permission-guard.ts';
import { renderTodos } from '../agent/todo.ts';
import { Failure } from '../base/failure.ts';
import type { ChatHost, ConversationWish } from '../host/chat/chat-host.ts';
import { line, type StyledLine, span } from './line/styled-line.ts';
import { diffLines } from './view/diff-view.ts';
import { statisticsPage } from './view/statistics-view.ts';

export interface CommandContext {
  readonly host: ChatHost;
  readonly conversation: Conversation;
  readonly columns: number;
  say(lines: readonly StyledLine[]): void;
  /** Switches to another conversation. */
  switchTo(wish: ConversationWish, signal: AbortSignal): Promise<void>;
  /** Returns the new state in a few words. */
  turnSpeculation(choice: 'on' | 'off'): string;
  leave(): void;
}

export interface SlashCommand {
  readonly name: string;
  readonly argument: string;
  readonly about: string;
  run(prompt: CommandContext, argument: string, signal: AbortSignal): Promise<void>;
}

/** The command in a line; undefined if there is none. A path is not a command. */
export function readSlashCommand(
  text: string,
): { readonly command: SlashCommand; readonly argument: string } | undefined {
  const [, name, argument = ''] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const command = slashCommands.find((each) => each.name === name);
  if (!command) throw new UnknownCommand(name);
  return { command, argument: argument.trim() };
}

export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'help',
    argument: '',
    about: 'list the commands and keys',
    run: async (prompt) => prompt.say(helpLines()),
  },
  {
    name: 'model',
    argument: '[name]',
    about: 'show or change the model',
    async run(prompt, name, signal) {
      if (name !== '') await prompt.switchTo({ kind: 'model', name }, signal);
      const { model, client } = prompt.conversation.setup.agent;
      if (name === '') prompt.say([line(`${model} (${client.name})`)]);
    },
  },
  {
    name: 'mode',
    argument: `[${permissionModes.join('|')}]`,
    about: 'show or change the permission mode',
    async run({ conversation, say }, word) {
      const mode = permissionModes.find((each) => each === word);
      if (mode === undefined && word !== '') throw new BadArgument('mode', word, permissionModes);
      if (mode) conversation.setup.permissions.mode = mode;
      say([line(`mode: ${conversation.setup.permissions.mode}`)]);
    },
  },
  {
    name: 'clear',
    argument: '',
    about: 'start a new conversation',
    run: (prompt, _argument, signal) => prompt.switchTo({ kind: 'begin' }, signal),
  },
  {
    name: 'compact',
    argument: '',
    about: 'summarise the conversation to free context',
    async run({ conversation, say }, _argument, signal) {
      if (conversation.history.messages.length === 0)
        return say([line('There is nothing to summarise.', 'faint')]);
      using _taken = conversation.occupy();
      const { summary } = await compact(conversation, '', signal);
      say([line('(summed up)', 'faint'), ...summary.split('\n').map((each) => line(each, 'faint'))]);
    },
  },
  {
    name: 'resume',
    argument: '[id]',
    about: 'continue an earlier conversation, or list them',
    async run(prompt, id, signal) {
      if (id !== '') return prompt.switchTo({ kind: 'resume', id }, signal);
      const known = await prompt.host.list();
      if (known.length === 0) return prompt.say([line('There is no earlier conversation here.', 'faint')]);
      prompt.say(
        known
          .slice(0, mostListed)
          .map(({ id: each, title, modifiedAt }) => [
            span(`${each.slice(0, 8)}  `, 'accent'),
            span(`${new Date(modifiedAt).toISOString().slice(0, 16).replace('T', ' ')}  `, 'faint'),
            span(title),
          ]),
      );
    },
  },
  {
    name: 'todo',
    argument: '',
    about: "show the agent's todo list",
    async run({ conversation: { todos }, say }) {
      say(todos.length === 0 ? [line('The todo list is empty.', 'faint')] : todoLines(renderTodos(todos)));
    },
  },
  {
    name: 'diff',
    argument: '',
    about: 'show all changes',
    async run({ host, columns, say }, _argument, signal) {
      const patches = await host.changes(signal);
      say(patches.length === 0 ? [line('Nothing was changed.', 'faint')] : diffLines(patches, { columns }));
    },
  },
  {
    name: 'undo',
    argument: '',
    about: 'undo the last change of files',
    run: async ({ host, say }, _argument, signal) => say([line(await host.undo(signal))]),
  },
  {
    name: 'speculation',
    argument: 'on|off',
    about: 'turn speculation on or off',
    async run({ turnSpeculation, say }, word) {
      if (word !== 'on' && word !== 'off') throw new BadArgument('speculation', word, ['on', 'off']);
      say([line(turnSpeculation(word))]);
    },
  },
  {
    name: 'stats',
    argument: '',
    about: 'show what speculation saved and cost',
    async run({ host, say }) {
      const page = statisticsPage(await host.stats());
      say(
        page
          .trimEnd()
          .split('\n')
          .map((each) => line(each)),
      );
    },
  },
  {
    name: 'exit',
    argument: '',
    about: 'leave',
    run: async ({ leave }) => leave(),
  },
];

const mostListed = 20;

export function todoLines(rendered: string): readonly StyledLine[] {
  return rendered.split('\n').map((each) => line(`  ${each}`, each.startsWith('[x]') ? 'faint' : 'strong'));
}

const keys: readonly (readonly [string, string])[] = [
  ['Enter', 'send'],
  ['Alt+Enter, \\ Enter', 'another line'],
  ['Tab', 'take the suggestion'],
  ['Escape', 'dismiss the suggestion'],
  ['Ctrl+O', 'expand or collapse the last output'],
  ['Ctrl+C', 'interrupt; twice on an empty prompt: quit'],
];

function helpLines(): readonly StyledLine[] {
  const commands = slashCommands.map(
    ({ name, argument, about }) => [`/${name} ${argument}`.trim(), about] as const,
  );
  const widest = 24;
  return [...commands, ...keys].flatMap(([name, about]) =>
    name.length < widest
      ? [[span(`  ${name.padEnd(widest)}`, 'accent'), span(about)]]
      : [[span(`  ${name}`, 'accent')], [span(`  ${' '.repeat(widest)}`), span(about)]],
  );
}

class UnknownCommand extends Failure {
  readonly code = 'terminal/unknown-command';
  readonly remedy = 'Enter /help for a list.';

  constructor(name: string) {
    super(`there is no command /${name}`);
  }
}

class BadArgument extends Failure {
  readonly code = 'terminal/bad-argument';
  readonly remedy: string;

  constructor(name: string, word: string, choices: readonly string[]) {
    super(word === '' ? `/${name} needs an argument` : `/${name} does not accept "${word}"`);
    this.remedy = `Give one of: ${choices.join(', ')}.`;
  }
}
