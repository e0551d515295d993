/**
 * What goes to the model with the words of the user: the focused buffer, and what they mention.
 *
 * Invariant: every part is marked, so that views of the conversation tell it from what the user said.
 */
import type { UserPart } from '../../model/message.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import { LineIndex } from '../../text/position.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { AgentMention } from '../protocol/agent.ts';
import type { PaneFocus, Panes } from './panes.ts';

/** Parts that lead the user's words, and the names of what went along. */
export interface Surroundings {
  readonly parts: readonly UserPart[];
  readonly along: readonly string[];
}

export interface SurroundingsWish {
  readonly mentions: readonly AgentMention[];
  readonly focus: 'along' | 'left-out';
  /** Whether edits reach the files only when the user accepts them. */
  readonly edits: 'proposed' | 'applied';
}

export async function surroundingsOf(
  { mentions, focus, edits }: SurroundingsWish,
  panes: Panes,
  overlay: Overlay,
): Promise<Surroundings> {
  const focused = focus === 'along' ? panes.focus() : undefined;
  const shown = focused && (await focusedPart(focused, panes, overlay));
  const way = edits === 'proposed' ? [howEditsLand] : [];
  const editor = [...(shown === undefined ? [] : [shown]), ...way].join('\n');
  const named = await Promise.all(mentions.map((mention) => mentioned(mention, overlay)));
  return {
    parts: [
      ...(editor === '' ? [] : [textPart(`<editor>\n${editor}\n</editor>`)]),
      ...named.map(({ text }) => textPart(text)),
    ],
    along: [...(shown === undefined || !focused ? [] : [focused.path]), ...named.map(({ label }) => label)],
  };
}

const howEditsLand =
  'Your edits are shown to the user as a proposal. You see the files as if it was accepted; the user decides, and you are told.';

/** The file is named and not given whole: the model reads more of it where it needs more. */
const linesAround = 20;
const longestSelection = 20_000;

async function focusedPart(
  { path, anchor, head }: PaneFocus,
  panes: Panes,
  overlay: Overlay,
): Promise<string | undefined> {
  const content = await overlay.read(path);
  if (content?.kind !== 'text') return undefined;
  const { text } = content;
  const index = new LineIndex(text);
  const caret = index.positionAt(Math.min(head, text.length));
  const isUnsaved = panes.open().some((pane) => pane.path === path && pane.isUnsaved);
  const selected = text.slice(Math.min(anchor, head), Math.max(anchor, head)).slice(0, longestSelection);
  const around = numberedLines(index, caret.line - linesAround, caret.line + linesAround);
  return [
    `The user has ${path} open${isUnsaved ? ', with unsaved text,' : ''} at line ${caret.line + 1}, column ${caret.character + 1}.`,
    selected === '' ? around : `Selected:\n${selected}`,
  ].join('\n');
}

const longestMention = 60_000;

async function mentioned(
  mention: AgentMention,
  overlay: Overlay,
): Promise<{ readonly text: string; readonly label: string }> {
  const label = mention.kind === 'file' ? mention.path : mention.name;
  const path: WorkspacePath | undefined = parseWorkspacePath(mention.path);
  const content = path === undefined ? undefined : await overlay.read(path);
  if (content?.kind !== 'text') return { label, text: marked(`There is no text file ${mention.path}.`) };
  const index = new LineIndex(content.text);
  if (mention.kind === 'symbol') {
    const lines = numberedLines(index, mention.line, mention.line + symbolLines);
    return { label, text: marked(`${mention.name}, at ${mention.path}:${mention.line + 1}:\n${lines}`) };
  }
  const whole = numberedLines(index, 0, index.lineCount - 1);
  const shown =
    whole.length <= longestMention ? whole : `${whole.slice(0, longestMention)}\n(cut; Read shows more)`;
  return { label, text: marked(`${mention.path}:\n${shown}`) };
}

const symbolLines = 60;

function marked(text: string): string {
  return `<mentioned>\n${text}\n</mentioned>`;
}

function numberedLines(index: LineIndex, from: number, to: number): string {
  const lines: string[] = [];
  for (let line = Math.max(0, from); line <= Math.min(to, index.lineCount - 1); line += 1) {
    lines.push(`${line + 1}\t${index.lineText(line)}`);
  }
  return lines.join('\n');
}

function textPart(text: string): UserPart {
  return { kind: 'text', text };
}
