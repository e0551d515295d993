/** Every part of the page, in the order in which they are asked. A feature is added by one line here. */

import { agentPart } from './agent/agent-part.tsx';
import { textPart } from './buffer/text-part.tsx';
import { changePart } from './change/change-part.tsx';
import { codePart } from './code/code-part.tsx';
import { filePart } from './file/file-part.tsx';
import { futurePart } from './future/future-part.tsx';
import { ghostPart } from './ghost/ghost-part.tsx';
import { mergePart } from './merge/merge-part.tsx';
import { searchPart } from './search/search-part.tsx';
import { settingPart } from './setting/setting-part.tsx';
import { messagePart } from './shell/message-part.tsx';
import type { Page } from './shell/page.ts';
import type { Part } from './shell/part.ts';
import { shellPart } from './shell/shell-part.ts';
import { startPart } from './start/start-part.tsx';
import { terminalPart } from './terminal/terminal-part.tsx';
import { trustPart } from './trust/trust-part.tsx';
import { whatIfPart } from './what-if/what-if-part.tsx';

export const parts: readonly ((page: Page) => Part)[] = [
  shellPart,
  textPart,
  filePart,
  futurePart,
  changePart,
  mergePart,
  searchPart,
  whatIfPart,
  codePart,
  terminalPart,
  trustPart,
  settingPart,
  messagePart,
  startPart,
  agentPart,
  ghostPart,
];
