/** The fields of a search, and how they are read. */
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { IconButton } from '../ui/button.tsx';
import type { SearchStore } from './search-store.ts';

export function SearchFields({ store }: { readonly store: SearchStore }): VNode {
  const { isReplaceShown, isFilesShown } = store;
  return (
    <search class="search-fields">
      <div class="row">
        <IconButton
          icon={isReplaceShown.value ? 'chevronDown' : 'chevronRight'}
          label="Replace"
          size="small"
          isPressed={isReplaceShown.value}
          onClick={() => {
            isReplaceShown.value = !isReplaceShown.peek();
          }}
        />
        <div class="inp grow">
          <Field id="search-text" store={store} value={store.text} label="Search" />
          <Toggle store={store} value={store.isCaseSensitive} sign="Aa" label="Match case" />
          <Toggle store={store} value={store.isWholeWord} sign="ab" label="Whole word" />
          <Toggle store={store} value={store.isExpression} sign=".*" label="Expression" />
        </div>
      </div>
      {isReplaceShown.value && (
        <div class="row search-indent">
          <div class="inp grow">
            <input
              placeholder="Replace with"
              aria-label="Replace with"
              spellcheck={false}
              value={store.replacement.value}
              onInput={({ currentTarget }) => {
                store.replacement.value = currentTarget.value;
              }}
            />
          </div>
        </div>
      )}
      <div class="row search-indent">
        <button
          type="button"
          class="search-more"
          aria-expanded={isFilesShown.value}
          onClick={() => {
            isFilesShown.value = !isFilesShown.peek();
          }}
        >
          {isFilesShown.value ? 'All files' : 'Which files…'}
        </button>
      </div>
      {isFilesShown.value && (
        <>
          <div class="row search-indent">
            <div class="inp grow">
              <Field id="search-include" store={store} value={store.include} label="Files to include" />
            </div>
          </div>
          <div class="row search-indent">
            <div class="inp grow">
              <Field id="search-exclude" store={store} value={store.exclude} label="Files to exclude" />
            </div>
          </div>
        </>
      )}
    </search>
  );
}

function Field(props: {
  readonly id: string;
  readonly store: SearchStore;
  readonly value: Signal<string>;
  readonly label: string;
}): VNode {
  const { id, store, value, label } = props;
  return (
    <input
      id={id}
      placeholder={label}
      aria-label={label}
      spellcheck={false}
      autocomplete="off"
      value={value.value}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value;
        store.typed();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') store.run();
      }}
    />
  );
}

function Toggle(props: {
  readonly store: SearchStore;
  readonly value: Signal<boolean>;
  readonly sign: string;
  readonly label: string;
}): VNode {
  const { store, value, sign, label } = props;
  return (
    <button
      type="button"
      class={`search-toggle${value.value ? ' on' : ''}`}
      aria-label={label}
      title={label}
      aria-pressed={value.value}
      data-sign={sign}
      onClick={() => {
        value.value = !value.peek();
        store.run();
      }}
    />
  );
}
