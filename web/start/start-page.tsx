/** What stands where no file is open: three things to try, where the user worked lately, what is going on, the keys. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WhatIfRow } from '../../src/editor/protocol/what-if.ts';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { Page } from '../shell/page.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { enterTab } from '../shell/region.ts';
import { Button, Keys } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { verdictColour, verdictIcon } from '../ui/verdict.tsx';
import { sizeWord, statusWord } from '../what-if/what-if-text.ts';
import type { StartStore } from './start-store.ts';

type Recent = ResultOf<'start.read'>;

interface StartProps {
  readonly page: Page;
  readonly store: StartStore;
}

const shownRows = 6;

export function StartPage({ page, store }: StartProps): VNode {
  const recent = useRecent(page);
  const open = store.whatIfs.value;
  return (
    <div class="start" data-start="shown">
      <div>
        <header>
          <h1>See what a change does before you save it</h1>
          <p class="muted">Type. The status bar says what the unsaved text would do to all other files.</p>
        </header>
        <Tries page={page} recent={recent} />
        <div class="start-lists">
          {recent !== undefined && recent.files.length > 0 && (
            <List title="Recent files">
              {recent.files.slice(0, shownRows).map((path) => (
                <Row key={path} onClick={() => page.openFile(path)} title={path}>
                  <Icon name="file" size="small" />
                  <span class="cut">{nameOf(path)}</span>
                  <span class="cut muted sm">{folderOf(path)}</span>
                </Row>
              ))}
            </List>
          )}
          {open.length > 0 && (
            <List title="Open what-ifs">
              {open.slice(0, shownRows).map((row) => (
                <WhatIfLine key={row.id} page={page} row={row} />
              ))}
            </List>
          )}
          {recent !== undefined && recent.workspaces.length > 0 && (
            <List title="Other workspaces">
              {recent.workspaces.slice(0, shownRows).map(({ root, name }) => (
                <Row
                  key={root}
                  onClick={() => copy(page, `forerun edit ${quoted(root)}`)}
                  title={`Copy: forerun edit ${root}`}
                >
                  <Icon name="folder" size="small" />
                  <span class="cut">{name}</span>
                  <span class="cut muted sm">{root}</span>
                  <Icon name="copy" size="small" />
                </Row>
              ))}
            </List>
          )}
          <List title="Keys">
            {keys.map(({ title, command }) => (
              <li key={command} class="start-key">
                <span>{title}</span>
                <span>
                  <Keys keys={page.commands.keysOf(command)} />
                </span>
              </li>
            ))}
          </List>
        </div>
      </div>
    </div>
  );
}

const keys = [
  { title: 'Go to file', command: 'go.file' },
  { title: 'Commands', command: 'go.command' },
  { title: 'What would break', command: 'future.open' },
  { title: 'Changes', command: 'view.changes' },
  { title: 'What branches do together', command: 'merge.open' },
  { title: 'Ask the agent', command: 'agent.open' },
] as const;

function Tries({ page, recent }: { readonly page: Page; readonly recent: Recent | undefined }): VNode {
  const [first] = recent?.files ?? [];
  return (
    <ol class="tries">
      <Try
        number={1}
        title="Break another file"
        text="Open a file that others import, and change the type of something it exports."
      >
        {first === undefined ? (
          <Button look="primary" onClick={() => page.commands.run('go.file')}>
            Open a file
          </Button>
        ) : (
          <Button look="primary" onClick={() => page.openFile(first)}>
            {`Open ${nameOf(first)}`}
          </Button>
        )}
      </Try>
      <Try
        number={2}
        title="See what your commit would do"
        text="Changes since the last commit, judged before they are committed."
      >
        <Button onClick={() => page.commands.run('view.changes')}>Show changes</Button>
      </Try>
      <Try number={3} title="Connect your own agent" text="Its what-ifs show up here while it works.">
        <Button onClick={() => copy(page, 'forerun init')}>Copy command</Button>
      </Try>
    </ol>
  );
}

function Try(props: {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <li class="try">
      <span class="n" aria-hidden="true">
        {props.number}
      </span>
      <span class="try-words">
        <span class="medium">{props.title}</span>
        <span class="sm muted">{props.text}</span>
      </span>
      {props.children}
    </li>
  );
}

function WhatIfLine({ page, row }: { readonly page: Page; readonly row: WhatIfRow }): VNode {
  const { kind, word } = statusWord(row);
  return (
    <Row onClick={() => enterTab(page, { type: 'what-if', key: row.id, title: row.title })} title={row.title}>
      <span class={`c-${verdictColour(kind)} start-icon`}>
        <Icon name={verdictIcon(kind)} size="small" />
      </span>
      <span class="cut">{row.title}</span>
      <span class="cut muted sm">{`${word} · ${sizeWord(row)} · ${row.author}`}</span>
    </Row>
  );
}

function List({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

function Row(props: {
  readonly title: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <li>
      <button type="button" class="start-row" title={props.title} onClick={props.onClick}>
        {props.children}
      </button>
    </li>
  );
}

function copy(page: Page, command: string): void {
  page.run(async () => {
    await navigator.clipboard.writeText(command);
    page.toasts.show({ title: `Copied: ${command}`, icon: 'copy' });
  });
}

/** As one word of a shell. */
function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function useRecent(page: Page): Recent | undefined {
  const [recent, setRecent] = useState<Recent | undefined>(undefined);
  const isOnline = page.link.state.value.kind === 'online';
  useEffect(() => {
    if (!isOnline) return undefined;
    const abort = new AbortController();
    page.run(async () => setRecent(await page.link.request('start.read', {}, abort.signal)));
    return () => abort.abort();
  }, [page, isOnline]);
  return recent;
}
