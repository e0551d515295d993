/** The page begins here: the link is opened, the parts are added, the shell is drawn. */
import './style/tokens.css';
import './style/editor.css';
import './style/shell.css';
import './style/code.css';
import { render } from 'preact';
import { config } from 'zod';
import { enter } from './link/entry.ts';
import { PageLink } from './link/page-link.ts';
import { parts } from './parts.ts';
import { App } from './shell/app.tsx';
import { KeyDispatcher } from './shell/key-dispatcher.ts';
import { Page } from './shell/page.ts';
import { keepState } from './shell/page-memory.ts';

// The policy of the page forbids code made from strings.
config({ jitless: true });

const entry = enter();
const link = new PageLink({
  url: entry.linkUrl,
  page: entry.page,
  isAccepted: entry.isAccepted,
});
const page = new Page(link);
for (const part of parts) page.add(part(page));
keepState(page);

const keys = new KeyDispatcher(page.commands, /mac/i.test(navigator.platform) ? 'mac' : 'other');
document.addEventListener('keydown', (event) => keys.handle(event), { capture: true });
addEventListener('online', () => link.tryNow());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') link.tryNow();
});

const root = document.getElementById('page');
if (root !== null) render(<App page={page} keys={keys} />, root);
entry.ready.then(
  (state) => (state === 'refused' ? link.refuse() : link.open()),
  () => link.open(),
);
