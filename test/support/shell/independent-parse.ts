/**
 * The same list of commands as another parser of bash reads it, for holding ours against it.
 *
 * Invariant: whatever the other parser sees that our grammar cannot say is a difference, never left out.
 */
import {
  type Command,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type Word,
  type WordPart,
} from 'unbash';
import type { ShellList } from '../../../src/shell/syntax/shell-list.ts';

/** A list of commands in a form two parsers can agree on: words, redirects and the condition of each step. */
export type PlainList = readonly (readonly [when: string, pipeline: readonly PlainCommand[]])[];

interface PlainCommand {
  readonly argv: readonly string[];
  readonly redirects: readonly string[];
}

export function plainList(list: ShellList): PlainList {
  return list.map(({ when, pipeline }) => [
    when,
    pipeline.map(({ argv, input, redirects }) => ({
      argv: argv.map(({ text }) => text),
      redirects: [
        ...(input?.kind === 'file' ? [`<${input.path.text}`] : []),
        ...(input?.kind === 'text' ? [`<<${input.text}`] : []),
        ...redirects,
      ].sort(),
    })),
  ]);
}

/** What the other parser makes of a text, or the name of what our grammar has no word for. */
export function independentParse(text: string): PlainList | string {
  const script = parse(text);
  if (script.errors && script.errors.length > 0) return `errors: ${script.errors[0]?.message}`;
  const steps: [string, readonly PlainCommand[]][] = [];
  for (const statement of script.commands) {
    const read = readStatement(statement);
    if (typeof read === 'string') return read;
    steps.push(...read);
  }
  return steps;
}

type Step = [string, readonly PlainCommand[]];

function readStatement({ background, command }: Statement): readonly Step[] | string {
  if (background) return 'background';
  const nodes = command.type === 'AndOr' ? command.commands : [command];
  const operators = command.type === 'AndOr' ? command.operators : [];
  const steps: Step[] = [];
  for (const [index, node] of nodes.entries()) {
    const pipeline = readPipeline(node);
    if (typeof pipeline === 'string') return pipeline;
    const operator = index === 0 ? undefined : operators[index - 1];
    steps.push([operator === '&&' ? 'success' : operator === '||' ? 'failure' : 'always', pipeline]);
  }
  return steps;
}

function readPipeline(node: PipelineNode): readonly PlainCommand[] | string {
  if (node.type !== 'Pipeline') return collect([node], readCommand);
  if (node.prefixes.length > 0) return 'pipeline prefix';
  if (node.operators.some((operator) => operator !== '|')) return 'operator |&';
  return collect(node.commands, readCommand);
}

function readCommand(node: PipelineNode): PlainCommand | string {
  if (node.type !== 'Command') return node.type;
  const words = wordsOf(node);
  if (typeof words === 'string') return words;
  const argv = collect(words, wordText);
  const redirects = collect(node.redirects, readRedirect);
  if (typeof argv === 'string') return argv;
  return typeof redirects === 'string'
    ? redirects
    : { argv: argv.map(({ text }) => text), redirects: [...redirects.map(({ text }) => text)].sort() };
}

function wordsOf(command: Command): readonly Word[] | string {
  const words: Word[] = command.name ? [command.name] : [];
  if (command.prefix.some((part) => part.type === 'Assignment')) return 'assignment';
  for (const argument of command.args) {
    if (argument.type !== 'Word') return argument.type;
    words.push(argument);
  }
  return words;
}

function wordText(word: Word): { readonly text: string } | string {
  const odd = (word.parts ?? []).flatMap(oddParts)[0];
  return odd ?? { text: word.value };
}

/** The parts of a word that would be expanded to something else. */
function oddParts(part: WordPart): readonly string[] {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return [];
  if (part.type === 'Glob') return part.kind === 'bracket' ? ['bracket pattern'] : [];
  if (part.type === 'DoubleQuoted') return part.parts.flatMap(oddParts);
  return [part.type];
}

function readRedirect(redirect: Redirection): { readonly text: string } | string {
  if (redirect.type === 'HereDoc') {
    const { text } = redirect.body;
    const expands = !redirect.delimiter?.quoted && /[$`\\]/.test(text);
    if (expands || !redirect.closing) return 'here-document';
    return { text: `<<${redirect.operator === '<<-' ? text.replace(/^\t+/gm, '') : text}` };
  }
  const target = redirect.target && wordText(redirect.target);
  if (target === undefined || typeof target === 'string') return target ?? 'no target';
  if (redirect.type === 'HereString') return { text: `<<${target.text}\n` };
  const { descriptor, operator } = redirect;
  if (descriptor && descriptor.type !== 'FileDescriptor') return 'descriptor variable';
  if (operator === '<') return descriptor ? 'descriptor' : { text: `<${target.text}` };
  const written = `${descriptor?.value === 1 ? '' : (descriptor?.value ?? '')}${operator.replace('>>', '>')}${target.text}`;
  return { text: written };
}

function collect<T, R extends object>(
  items: readonly T[],
  read: (item: T) => R | string,
): readonly R[] | string {
  const made: R[] = [];
  for (const item of items) {
    const one = read(item);
    if (typeof one === 'string') return one;
    made.push(one);
  }
  return made;
}
