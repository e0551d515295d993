/** Tool calls in the words of the panel: one line each, and what unfolds below it. */
import type { JsonObject } from '../../model/json-value.ts';
import { replayedInput, type ToolCallPart, type ToolResultPart } from '../../model/message.ts';

/** What a call does, in a few words: `Edit src/a.ts`. */
export function callLine({ name, input }: ToolCallPart): string {
  const subject = input.kind === 'object' ? subjectOf(input.value) : '';
  // The tools of the editor are called by their dotted names, too.
  const verb = verbs[name.replace('.', '_')] ?? name;
  return subject === '' ? verb : `${verb} ${subject}`;
}

const longestDetail = 20_000;

/** What a call was given and what it answered. */
export function callDetail(call: ToolCallPart, result: ToolResultPart | undefined): string {
  const input = Object.entries(replayedInput(call.input)).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const whole = [input.join('\n'), result?.text ?? ''].filter((part) => part !== '').join('\n\n');
  if (whole.length <= longestDetail) return whole;
  return `${whole.slice(0, longestDetail)}\n… ${whole.length - longestDetail} more characters`;
}

export function leadingLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

const verbs: Readonly<Record<string, string>> = {
  Bash: 'Run',
  Glob: 'List',
  Grep: 'Search for',
  MultiEdit: 'Edit',
  TodoWrite: 'Plan',
  rename_symbol: 'Rename',
  editor_rename: 'Rename',
  editor_applyEdit: 'Edit',
  editor_getDiagnostics: 'Check',
  editor_open: 'Open',
  list_open_panes: 'Look at the open files',
  get_pane_context: 'Look at',
  get_diagnostics: 'Check',
  list_symbols: 'Outline',
  inspect_symbol: 'Look up',
  find_symbol: 'Find symbol',
  go_to_definition: 'Find definition',
  find_references: 'Find references',
  find_callers: 'Find callers',
  blast_radius: 'Find what depends on',
};

/** The arguments that say most, in the order they are looked for. */
const tellingArguments = [
  'command',
  'file_path',
  'uri',
  'pattern',
  'path',
  'query',
  'symbol',
  'name',
  'new_name',
] as const;

function subjectOf(input: JsonObject): string {
  for (const name of tellingArguments) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return value.split('\n').join(' ⏎ ').slice(0, 200);
  }
  return '';
}
