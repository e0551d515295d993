/** Which verdict the status bar shows: offline first, then a save conflict, then what the future part says. */
import type { Page } from './page.ts';
import type { StatusVerdict } from './part.ts';
import { nameOf } from './place.ts';

/** Reads signals: call it in a render or a computed signal. */
export function shownVerdict(page: Page): StatusVerdict {
  const { kind } = page.link.state.value;
  if (kind === 'offline') return offline;
  if (page.workspace.value === undefined) return starting;
  const [conflict] = page.buffers.conflicts.value;
  if (conflict !== undefined) return conflictVerdict(page, conflict);
  for (const { verdict } of page.parts.value) {
    const own = verdict?.value;
    if (own !== undefined) return own;
  }
  return page.buffers.unsaved.value.length === 0 ? nothing : notChecked;
}

function conflictVerdict(page: Page, path: string): StatusVerdict {
  const isDeleted = page.buffers.states.value.get(path)?.conflict === 'deleted';
  const detail = `${nameOf(path)} ${isDeleted ? 'was deleted' : 'changed'} on disk`;
  return {
    kind: 'conflict',
    word: 'Not saved',
    detail,
    tooltip: `Not saved: ${detail}. Both texts are kept until you choose.`,
    spoken: `Not saved: ${detail}.`,
  };
}

const offline: StatusVerdict = {
  kind: 'warning',
  word: 'Offline',
  detail: 'reconnecting, your text is kept',
  tooltip: 'Offline. Your text is kept here and sent when the editor answers again.',
  spoken: 'Offline. Reconnecting. Your text is kept.',
};

const starting: StatusVerdict = {
  kind: 'checking',
  word: 'Reading the workspace',
  detail: '',
  tooltip: 'Reading the workspace. You can type meanwhile.',
  spoken: '',
};

const nothing: StatusVerdict = {
  kind: 'none',
  word: 'No unsaved text',
  detail: 'nothing to check',
  tooltip: 'No unsaved text. Type, and this says what it would do to other files.',
  spoken: 'No unsaved text.',
};

const notChecked: StatusVerdict = {
  kind: 'none',
  word: 'Not checked',
  detail: 'turned off',
  tooltip: 'Unsaved text is not checked: this is turned off in the settings.',
  spoken: 'Not checked.',
};
