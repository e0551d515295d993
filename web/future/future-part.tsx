/** The future in the page: verdict, panel, marks, walking through what would break, and saving with its verdict. */

import { EditorView } from '@codemirror/view';
import { computed, effect, type ReadonlySignal } from '@preact/signals';
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import type { FileMark, Part, StatusVerdict } from '../shell/part.ts';
import { enterBottomView } from '../shell/region.ts';
import type { SettingDefinition } from '../shell/setting-store.ts';
import './future.css';
import { causeNotes } from './cause-note.ts';
import { ConflictView } from './conflict-view.tsx';
import { FutureStore } from './future-store.ts';
import { FutureView } from './future-view.tsx';
import { openFinding } from './open-finding.ts';
import { PlanVerdict } from './plan-verdict.tsx';
import { beforeSave } from './save-question.tsx';
import { statusOf } from './verdict-text.ts';

export function futurePart(page: Page): Part {
  const store = new FutureStore(page);
  let at = -1;
  const step = (by: 1 | -1): void => {
    const places = store.places.peek();
    if (places.length === 0) return;
    at = (at + by + places.length) % places.length;
    const finding = places[at];
    if (finding) openFinding(page, finding);
  };
  effect(() => {
    const isOn = page.settings.get('future.check') !== false;
    if (page.link.state.value.kind !== 'online') return;
    page.run(() => page.link.request('future.enable', { isOn }, neverAborts));
  });
  return {
    verdict: shownStatus(store),
    fileMarks: computed(() => marksOf(store)),
    bottomViews: [
      {
        id: 'future',
        title: 'Future',
        order: 10,
        count: computed(() => {
          const number = store.last.value?.counts.introducedErrors ?? 0;
          return number > 0 ? { number, isBreak: true } : undefined;
        }),
        body: () => <FutureView page={page} store={store} />,
        entry: '.future li > button',
      },
    ],
    commands: [
      {
        id: 'future.open',
        title: 'Future: what would break',
        keys: ['Ctrl K F'],
        icon: 'whatIf',
        run: () => enterBottomView(page, 'future'),
      },
      {
        id: 'future.check',
        title: 'Future: check again',
        run: () => page.run(() => page.link.request('future.check', {}, neverAborts)),
      },
      { id: 'future.next', title: 'Future: next place that would break', keys: ['F8'], run: () => step(1) },
      {
        id: 'future.previous',
        title: 'Future: previous place that would break',
        keys: ['Shift F8'],
        run: () => step(-1),
      },
    ],
    settings,
    editorExtension: ({ path }) => [
      EditorView.updateListener.of((update) => {
        if (update.docChanged) store.typed();
      }),
      causeNotes(store, path),
    ],
    fileBody: (path) =>
      page.buffers.conflicts.value.includes(path) ? (
        <ConflictView key={path} page={page} path={path} />
      ) : undefined,
    planVerdict: (plan) => <PlanVerdict page={page} plan={plan} />,
    beforeSave: (paths, signal) => beforeSave({ page, store, paths }, signal),
  };
}

const settings: readonly SettingDefinition[] = [
  {
    key: 'future.check',
    group: 'Future',
    title: 'Check unsaved text',
    sentence: 'Says what the text you have not saved would do to other files.',
    fallback: true,
    scope: 'user',
  },
  {
    key: 'future.ask',
    group: 'Future',
    title: 'Ask before a save that breaks other files',
    sentence: 'Otherwise the file is saved and a message says what is broken now.',
    fallback: true,
    scope: 'workspace',
  },
];

/** While an answer may come at once, the words of the last one stay; only the icon says that it is being checked. */
function shownStatus(store: FutureStore): ReadonlySignal<StatusVerdict> {
  let settled: StatusVerdict | undefined;
  return computed(() => {
    const isBehind = store.isBehind.value;
    const status = statusOf({ state: store.state.value, isBehind, isSaving: store.isSaving.value });
    if (status.kind !== 'checking') {
      settled = status;
      return status;
    }
    const isHeldBack = store.isBrief.value && settled !== undefined && !store.isSaving.value;
    return isHeldBack && settled ? { ...settled, kind: 'checking' } : status;
  });
}

function marksOf(store: FutureStore): ReadonlyMap<string, FileMark> {
  const marks = new Map<string, FileMark>();
  const evaluation = store.last.value;
  if (!evaluation) return marks;
  const isChecking = store.isChecking.value;
  for (const [path, count] of countBy(evaluation.resolved)) {
    const kind = isChecking ? 'checking' : 'clean';
    marks.set(path, { kind, label: `Would be mended: ${counted(count, 'error')}`, word: 'would be mended' });
  }
  for (const [path, count] of countBy(evaluation.introduced)) {
    const kind = isChecking ? 'checking' : 'break';
    marks.set(path, { kind, label: `Would break: ${counted(count, 'error')}`, word: 'would break' });
  }
  return marks;
}

function countBy(findings: WireEvaluation['introduced']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path, severity } of findings) {
    if (severity === 'error') counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}
