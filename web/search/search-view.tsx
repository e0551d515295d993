/** The search view: its fields, what was found by file, and the replacement with its verdict. */
import { type Signal, signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { FoundFile, FoundMatch, SearchHead } from '../../src/editor/protocol/search.ts';
import { counted } from '../../src/text/counted-noun.ts';
import type { Page } from '../shell/page.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { RowList } from '../ui/row-list.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { ReplaceBox } from './replace-box.tsx';
import { SearchFields } from './search-fields.tsx';
import type { SearchStore } from './search-store.ts';

const current: Signal<number> = signal(0);

export function SearchView({ page, store }: { readonly page: Page; readonly store: SearchStore }): VNode {
  const head = store.head.value;
  return (
    <div class="search-view">
      <SearchFields store={store} />
      {store.problem.value !== '' && (
        <p class="search-line c-break" role="alert">
          {store.problem.value}
        </p>
      )}
      {head !== undefined && store.text.value !== '' && <Summary store={store} head={head} />}
      {store.isReplaceShown.value && head !== undefined && head.matches > 0 && (
        <ReplaceBox page={page} store={store} />
      )}
      {store.found.value.length > 0 && <Results page={page} store={store} />}
    </div>
  );
}

function Summary({ store, head }: { readonly store: SearchStore; readonly head: SearchHead }): VNode {
  const { state, matches, files, searched, skipped, isOutdated } = head;
  const found = `${counted(matches, 'match').replace(/matchs$/, 'matches')} in ${counted(files, 'file')}`;
  return (
    <div class="search-summary" role="status" data-search={state.kind}>
      {state.kind === 'running' && (
        <span class="row">
          <Verdict kind="checking" size="small">{`Searching · ${counted(searched, 'file')}`}</Verdict>
          <span class="grow" />
          <Button size="small" onClick={() => store.stop()}>
            Stop
          </Button>
        </span>
      )}
      {state.kind === 'failed' && <p class="c-break">{`${state.message}. ${state.remedy}`}</p>}
      {state.kind !== 'running' && state.kind !== 'failed' && (
        <p>
          {matches === 0
            ? `No matches for “${head.query.text}”. ${counted(searched, 'file')} searched.`
            : `${found}. ${counted(searched, 'file')} searched.`}
        </p>
      )}
      {state.kind === 'cut' && <p>There are more. Narrow the search to see them.</p>}
      {state.kind === 'stopped' && <p>Stopped before the end.</p>}
      {skipped.length > 0 && (
        <p>{`Not searched, too large or not readable: ${skipped.slice(0, 3).join(', ')}${skipped.length > 3 ? ', …' : ''}`}</p>
      )}
      {isOutdated && state.kind !== 'running' && (
        <span class="row">
          <span class="grow">Text changed since.</span>
          <Button size="small" onClick={() => store.run()}>
            Search again
          </Button>
        </span>
      )}
    </div>
  );
}

interface SearchRow {
  readonly id: string;
  readonly file: FoundFile;
  /** Absent: the row names the file. */
  readonly match?: FoundMatch;
}

function Results({ page, store }: { readonly page: Page; readonly store: SearchStore }): VNode {
  const rows = store.found.value.flatMap((file): readonly SearchRow[] => [
    { id: file.path, file },
    ...file.matches.map((match, index) => ({ id: `${file.path} ${index}`, file, match })),
  ]);
  const isReplacing = store.isReplaceShown.value;
  const newTexts = isReplacing ? newTextsOf(store) : new Map<string, string>();
  const open = ({ file, match }: SearchRow): void => {
    if (match === undefined) {
      if (isReplacing) store.toggleFile(file.path);
      return;
    }
    const { start, end } = match.range;
    page.openFile(file.path, { at: { path: file.path, ...start, end }, isPreview: true });
  };
  return (
    <RowList
      label="Matches"
      rows={rows}
      current={current}
      onOpen={open}
      draw={({ file, match }) =>
        match === undefined ? (
          <FileRow file={file} inclusion={isReplacing ? inclusionOf(store, file.path) : undefined} />
        ) : (
          <MatchRow match={match} newText={newTexts.get(placeKey(file.path, match.range.start))} />
        )
      }
    />
  );
}

function inclusionOf(store: SearchStore, path: string): 'replaced' | 'left out' {
  return store.without.value.has(path) ? 'left out' : 'replaced';
}

function placeKey(path: string, { line, character }: FoundMatch['range']['start']): string {
  return `${path}:${line}:${character}`;
}

function newTextsOf(store: SearchStore): ReadonlyMap<string, string> {
  const files = store.plan.value?.files ?? [];
  return new Map(
    files.flatMap(({ path, shown }) =>
      shown.map(({ range, newText }) => [placeKey(path, range.start), newText] as const),
    ),
  );
}

function FileRow(props: {
  readonly file: FoundFile;
  readonly inclusion: 'replaced' | 'left out' | undefined;
}): VNode {
  const { file, inclusion } = props;
  return (
    <div class="gh search-file">
      {inclusion !== undefined && (
        <span class={`search-check${inclusion === 'replaced' ? ' on' : ''}`}>
          {inclusion === 'replaced' && <Icon name="check" size="small" />}
        </span>
      )}
      <b class="cut">{nameOf(file.path)}</b>
      <span class="faint cut grow">{folderOf(file.path)}</span>
      {inclusion === 'left out' && <span class="sm muted nowrap">left out</span>}
      <span class="count">{file.matches.length}</span>
    </div>
  );
}

/** The panel is narrow: of what stands before a match only the end is shown, and less beside a new text. */
function leadIn(text: string, most: number): string {
  return text.length > most + 2 ? `…${text.slice(-most)}` : text;
}

function MatchRow({
  match,
  newText,
}: {
  readonly match: FoundMatch;
  readonly newText: string | undefined;
}): VNode {
  const { line, range, above, below } = match;
  const blank = line.from - line.text.slice(0, line.from).trimStart().length;
  const context = [above, line.text, below].filter((each) => each !== undefined).join('\n');
  const piece = line.text.slice(line.from, line.to);
  return (
    <div class="it search-match" title={context}>
      <span class="pos">{range.start.line + 1}</span>
      <span class="mono cut grow">
        {leadIn(line.text.slice(blank, line.from), newText === undefined ? 12 : 4)}
        {newText === undefined ? <mark>{piece}</mark> : <del>{piece}</del>}
        {newText !== undefined && newText !== '' && <ins>{newText}</ins>}
        {line.text.slice(line.to)}
      </span>
    </div>
  );
}
