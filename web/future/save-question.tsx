/**
 * Saving with its verdict: a save waits for the check for a while, and asks before it breaks other files.
 *
 * Invariant: typing goes on meanwhile; a second save, and the end of the wait, save at once.
 */
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import { counted } from '../../src/text/counted-noun.ts';
import type { Page } from '../shell/page.ts';
import { nameOf } from '../shell/place.ts';
import type { FutureStore } from './future-store.ts';
import { wordOf } from './verdict-text.ts';

/** After this a save does not wait any longer. */
const saveWaitMs = 2_000;

export interface PendingSave {
  readonly page: Page;
  readonly store: FutureStore;
  readonly paths: readonly string[];
}

export async function beforeSave(
  { page, store, paths }: PendingSave,
  signal: AbortSignal,
): Promise<'save' | 'stop'> {
  if (page.settings.get('future.check') === false) return 'save';
  store.isSaving.value = true;
  try {
    for (const path of paths) await page.buffers.document(path)?.flush(signal);
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(saveWaitMs)]);
    const asked = page.link.request('future.beforeSave', { paths: [...paths] }, waiting);
    const { evaluation } = await asked.catch((thrown: unknown) => {
      if (!waiting.aborted) throw thrown;
      page.toasts.show({ title: 'Saved before the check ended.', icon: 'unknown', colour: 'checking' });
      return { evaluation: undefined };
    });
    return evaluation && isBreakElsewhere(evaluation, paths) ? await ask(page, evaluation, paths) : 'save';
  } finally {
    store.isSaving.value = false;
  }
}

function isBreakElsewhere({ verdict }: WireEvaluation, paths: readonly string[]): boolean {
  return verdict.kind === 'broken' && verdict.in.some((path) => !paths.includes(path));
}

async function ask(
  page: Page,
  evaluation: WireEvaluation,
  paths: readonly string[],
): Promise<'save' | 'stop'> {
  const { verdict } = evaluation;
  const others = verdict.kind === 'broken' ? verdict.in.filter((path) => !paths.includes(path)) : [];
  if (page.settings.get('future.ask') === false) {
    page.toasts.show({
      title: `Saved. ${counted(others.length, 'file')} ${others.length === 1 ? 'is' : 'are'} broken now.`,
      icon: 'broken',
      colour: 'break',
      action: { title: 'Show', run: () => page.layout.showBottom('future') },
    });
    return 'save';
  }
  const whole = wordOf(evaluation);
  const { answer, isChecked } = await page.dialogs.ask({
    title: `Saving ${whole.charAt(0).toLowerCase()}${whole.slice(1)}`,
    body: (
      <>
        <p>{`${counted(evaluation.counts.introducedErrors, 'error')} introduced, in:`}</p>
        <ul class="dialog-list">
          {others.slice(0, 8).map((path) => (
            <li key={path} class="mono">
              {path}
            </li>
          ))}
        </ul>
        {others.length > 8 ? <p>{`and ${counted(others.length - 8, 'file')} more`}</p> : null}
      </>
    ),
    choices: [
      { answer: 'save', title: `Save ${paths.length === 1 ? nameOf(paths[0] ?? '') : 'all'} anyway` },
      { answer: 'show', title: 'Show errors' },
      { answer: 'stop', title: 'Do not save', look: 'primary' },
    ],
    safe: 'stop',
    checkbox: 'Do not ask again in this workspace',
  });
  if (isChecked && answer === 'save') page.run(() => page.settings.set('future.ask', false));
  if (answer === 'show') page.layout.showBottom('future');
  return answer === 'save' ? 'save' : 'stop';
}
