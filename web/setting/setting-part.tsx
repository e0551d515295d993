/** Settings as a tab: search on top, one card per group, changes at once. */
import { effect, signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Page } from '../shell/page.ts';
import type { Part } from '../shell/part.ts';
import { enterTab } from '../shell/region.ts';
import type { SettingDefinition } from '../shell/setting-store.ts';
import { Button } from '../ui/button.tsx';
import { KeyTable } from './key-table.tsx';

export function settingPart(page: Page): Part {
  followLooks(page);
  return {
    tabTypes: [
      {
        type: 'settings',
        icon: 'settings',
        body: () => <SettingTab page={page} />,
        entry: 'input[type=search]',
      },
    ],
    commands: [
      {
        id: 'settings.open',
        title: 'Settings',
        keys: ['Ctrl ,'],
        icon: 'settings',
        run: () => enterTab(page, { type: 'settings', key: '', title: 'Settings' }),
      },
    ],
    settings: [
      {
        key: 'look.theme',
        group: 'Look',
        title: 'Theme',
        sentence: 'Light and dark by the system, or always one of them.',
        fallback: 'system',
        choices: [
          { value: 'system', title: 'System' },
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ],
        scope: 'user',
      },
      {
        key: 'look.density',
        group: 'Look',
        title: 'Density',
        sentence: 'Comfortable gives rows and lines of code more room.',
        fallback: 'compact',
        choices: [
          { value: 'compact', title: 'Compact' },
          { value: 'comfortable', title: 'Comfortable' },
        ],
        scope: 'user',
      },
      {
        key: 'look.code-size',
        group: 'Look',
        title: 'Size of code',
        sentence: 'In pixels.',
        fallback: 13,
        bounds: { least: 10, most: 28 },
        scope: 'user',
      },
    ],
  };
}

function followLooks(page: Page): void {
  effect(() => {
    const root = document.documentElement;
    const theme = page.settings.get('look.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
    root.dataset.density = String(page.settings.get('look.density') ?? 'compact');
    const size = page.settings.get('look.code-size');
    if (typeof size === 'number' && size !== 13) {
      root.style.setProperty('--code-size', `${size}px`);
      root.style.setProperty('--code-lh', `${Math.round(size * 1.54)}px`);
    } else {
      root.style.removeProperty('--code-size');
      root.style.removeProperty('--code-lh');
    }
  });
}

const query = signal('');

function SettingTab({ page }: { readonly page: Page }): VNode {
  const wanted = query.value.trim().toLowerCase();
  const shown = page.settings.definitions.value.filter(({ title, sentence, group }) =>
    `${group} ${title} ${sentence}`.toLowerCase().includes(wanted),
  );
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <div class="doc-page">
      <div class="settings">
        <h1>Settings</h1>
        <input
          class="inp"
          type="search"
          placeholder="Search settings"
          aria-label="Search settings"
          value={query.value}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
          }}
        />
        {groups.map((group) => (
          <section key={group} class="stack" style={{ gap: '8px' }} aria-label={group}>
            <h2>{group}</h2>
            <div class="card">
              {shown
                .filter((each) => each.group === group)
                .map((each) => (
                  <SettingRow key={each.key} page={page} definition={each} />
                ))}
            </div>
          </section>
        ))}
        <KeyTable page={page} wanted={wanted} />
      </div>
    </div>
  );
}

function SettingRow({
  page,
  definition,
}: {
  readonly page: Page;
  readonly definition: SettingDefinition;
}): VNode {
  const { key, title, sentence, scope } = definition;
  const isChanged = page.settings.isChanged(key);
  return (
    <div class="setr" data-setting={key}>
      <span class="medium">{title}</span>
      <p>
        {sentence}{' '}
        {isChanged && (
          <span class="faint">{scope === 'user' ? 'Set for you.' : 'Set for this workspace.'}</span>
        )}
      </p>
      <span class="ctl">
        {isChanged && (
          <Button look="quiet" size="small" onClick={() => page.run(() => page.settings.set(key, undefined))}>
            Reset
          </Button>
        )}
        <SettingControl page={page} definition={definition} />
      </span>
    </div>
  );
}

function SettingControl({
  page,
  definition,
}: {
  readonly page: Page;
  readonly definition: SettingDefinition;
}): VNode {
  const { key, title, choices, bounds } = definition;
  const value = page.settings.get(key);
  if (choices !== undefined) {
    return (
      <fieldset class="seg" aria-label={title}>
        {choices.map((choice) => (
          <button
            key={String(choice.value)}
            type="button"
            class={choice.value === value ? 'on' : ''}
            aria-pressed={choice.value === value}
            onClick={() => page.run(() => page.settings.set(key, choice.value))}
          >
            {choice.title}
          </button>
        ))}
      </fieldset>
    );
  }
  if (typeof value === 'number') {
    return (
      <input
        class="inp"
        type="number"
        aria-label={title}
        min={bounds?.least}
        max={bounds?.most}
        value={value}
        onChange={({ currentTarget }) => page.run(() => page.settings.set(key, currentTarget.valueAsNumber))}
      />
    );
  }
  return (
    <input
      class="sw"
      type="checkbox"
      role="switch"
      aria-label={title}
      checked={value === true}
      onChange={({ currentTarget }) => page.run(() => page.settings.set(key, currentTarget.checked))}
    />
  );
}
