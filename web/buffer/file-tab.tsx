/** What a tab of a file shows: its breadcrumb and its text, or why there is no text. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WireFailure } from '../../src/editor/protocol.ts';
import { failureOf } from '../link/page-link.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Verdict } from '../ui/verdict.tsx';
import type { FileContent } from './buffer-store.ts';
import { byteSize } from './byte-size.ts';
import { LargeText } from './large-text.tsx';
import { TextEditor } from './text-editor.tsx';

type Shown =
  | { readonly kind: 'loading' }
  | { readonly kind: 'content'; readonly content: FileContent }
  | { readonly kind: 'failed'; readonly failure: WireFailure };

interface FileTabProps {
  readonly page: Page;
  readonly path: string;
  readonly tabId: string;
}

export function FileTab({ page, path, tabId }: FileTabProps): VNode {
  const [shown, setShown] = useState<Shown>(() => {
    // The next key after a change of tabs belongs to the text that is shown then.
    const document = page.buffers.document(path);
    return document ? { kind: 'content', content: { kind: 'text', document } } : { kind: 'loading' };
  });
  const [tries, setTries] = useState(0);
  const isOnline = page.link.state.value.kind === 'online';
  useEffect(() => {
    if (shown.kind === 'content' || !isOnline) return undefined;
    const abort = new AbortController();
    page.buffers.open(path, abort.signal).then(
      (content) => setShown({ kind: 'content', content }),
      (thrown: unknown) => {
        const failure = failureOf(thrown);
        if (failure !== undefined && failure.code !== 'link/lost') setShown({ kind: 'failed', failure });
      },
    );
    return () => abort.abort();
  }, [path, tries, isOnline]);
  const instead = page.parts.value.map((part) => part.fileBody?.(path)).find((body) => body !== undefined);
  return (
    <div class="file-tab" data-file={path} data-shown={shown.kind}>
      <Breadcrumb page={page} path={path} />
      {instead ?? (
        <FileBody
          page={page}
          path={path}
          tabId={tabId}
          shown={shown}
          retry={() => setTries(tries + 1)}
          show={(content) => setShown({ kind: 'content', content })}
        />
      )}
    </div>
  );
}

interface FileBodyProps extends FileTabProps {
  readonly shown: Shown;
  readonly retry: () => void;
  readonly show: (content: FileContent) => void;
}

function FileBody(props: FileBodyProps): VNode | null {
  const { page, path, tabId, shown, retry, show } = props;
  switch (shown.kind) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return (
        <div class="emp file-note">
          <span class="strong">{shown.failure.message}</span>
          <p class="sm">{shown.failure.remedy}</p>
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </div>
      );
    case 'content':
      return shown.content.kind === 'text' ? (
        <TextEditor page={page} document={shown.content.document} path={path} tabId={tabId} />
      ) : (
        <NoText page={page} path={path} content={shown.content} show={show} />
      );
  }
}

interface NoTextProps {
  readonly page: Page;
  readonly path: string;
  readonly content: Exclude<FileContent, { readonly kind: 'text' }>;
  readonly show: (content: FileContent) => void;
}

/** Why there is no text; the user may look all the same. */
function NoText({ page, path, content: { kind, bytes }, show }: NoTextProps): VNode {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <LargeText page={page} path={path} />;
  const extension = /\.(\w+)$/.exec(nameOf(path))?.[1]?.toUpperCase();
  const size = byteSize(bytes);
  return (
    <div class="emp file-note" data-note={kind}>
      <span class="strong">
        {kind === 'binary'
          ? `This is not text (${[extension, size].filter((word) => word !== undefined).join(', ')}).`
          : `This file has ${size}.`}
      </span>
      {kind === 'large' ? (
        <>
          <p class="sm">It opens read only and is not checked.</p>
          <Button size="small" onClick={() => setOpen(true)}>
            Open
          </Button>
        </>
      ) : (
        <Button
          size="small"
          onClick={() => page.run(async () => show(await page.buffers.openAsText(path, neverAborts)))}
        >
          Open as text anyway
        </Button>
      )}
    </div>
  );
}

/** An answer under 300 ms shows nothing. */
function Loading(): VNode | null {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? (
    <div class="emp file-note">
      <Verdict kind="checking">Opening</Verdict>
    </div>
  ) : null;
}

function Breadcrumb({ page, path }: { readonly page: Page; readonly path: string }): VNode {
  const folders = folderOf(path)
    .split('/')
    .filter((folder) => folder !== '');
  const symbols = page.editors.symbolPath.value;
  const isActive = page.tabs.activePath.value === path;
  return (
    <nav class="crumb" aria-label="Path">
      {[...folders, nameOf(path)].map((name, index) => (
        <span key={index} class="row crumb-part">
          {index > 0 && <Icon name="chevronRight" size="small" />}
          {name}
        </span>
      ))}
      {isActive &&
        symbols.map(({ name, run }, index) => (
          <span key={index} class="row crumb-part">
            <Icon name="chevronRight" size="small" />
            <button type="button" class="crumb-symbol" onClick={run}>
              {name}
            </button>
          </span>
        ))}
    </nav>
  );
}
