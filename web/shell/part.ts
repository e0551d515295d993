/**
 * What a feature adds to the page. A feature is one function from the page to a Part, named in `web/parts.ts`; the shell
 * knows no feature by name.
 */
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { IconName } from '../ui/icon.tsx';
import type { VerdictKind } from '../ui/verdict.tsx';
import type { Command } from './command-store.ts';
import type { PaletteItem } from './palette-item.ts';
import type { SettingDefinition } from './setting-store.ts';
import type { Tab } from './tab-store.ts';

/** An item of the rail with the panel that it opens at the left. */
export interface LeftView {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** Place in the rail: Files 10, Search 20, Changes 30, What-if 40, Merges 50. */
  readonly order: number;
  /** The number on the icon, and what is read out after the title (`2 new`). Absent: none. */
  readonly count?: ReadonlySignal<{ readonly number: number; readonly words: string } | undefined>;
  /** Beside the heading of the panel: a count, buttons. */
  readonly head?: () => ComponentChildren;
  readonly body: () => ComponentChildren;
  /** Selects what has the focus after the view was opened by its key; absent: the panel. */
  readonly entry?: string;
}

/** An item of the rail that opens a tab of the editor area, among those that open a panel. */
export interface RailTab {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly order: number;
  /** Its tab is shown. */
  readonly isOn: ReadonlySignal<boolean>;
  readonly open: () => void;
}

/** A tab of the bottom panel. */
export interface BottomView {
  readonly id: string;
  readonly title: string;
  /** Future 10, Problems 20, Search 30, Terminal 40. */
  readonly order: number;
  readonly count?: ReadonlySignal<{ readonly number: number; readonly isBreak: boolean } | undefined>;
  /** At the right end of the tab strip, while this tab is shown. */
  readonly head?: () => ComponentChildren;
  readonly body: () => ComponentChildren;
  /** Selects what has the focus after the view was opened by its key; absent: the panel. */
  readonly entry?: string;
}

/** The panel at the right. There is one: the agent. */
export interface RightView {
  readonly title: string;
  readonly head?: () => ComponentChildren;
  readonly body: () => ComponentChildren;
  /** What the status bar says while the window is too narrow for the panel, such as `2 steps ready`. */
  readonly summary?: ReadonlySignal<string>;
  /** Selects what has the focus after the panel was opened by its key. */
  readonly entry: string;
}

export interface StatusItem {
  readonly id: string;
  readonly side: 'left' | 'right';
  readonly order: number;
  /** `wide`: only in windows of 1600 and more. */
  readonly width?: 'always' | 'wide';
  /** An empty text: the item is not shown. */
  readonly body: () => ComponentChildren;
  readonly title?: ReadonlySignal<string>;
  /** Absent: it is not a button. */
  readonly onClick?: () => void;
}

/** The first item of the status bar. */
export interface StatusVerdict {
  readonly kind: VerdictKind;
  /** `Breaks 3 files`. */
  readonly word: string;
  /** What follows the dot: `proved`. */
  readonly detail: string;
  readonly tooltip: string;
  /** The text for screen readers, announced once it has been unchanged for a second. */
  readonly spoken: string;
}

/** What stands in a tab of the editor area. */
export interface TabType {
  readonly type: string;
  readonly icon: IconName | undefined;
  readonly body: (tab: Tab) => ComponentChildren;
  /** The title when it follows something; absent: the one the tab was opened with. */
  readonly title?: (tab: Tab) => string;
  /** Selects what has the focus when the tab is entered; absent: its text, or the tab itself. */
  readonly entry?: string;
}

/** The state of a file, as the tree, the tabs and quick open show it. */
export interface FileMark {
  readonly kind: VerdictKind;
  /** `Would break: 2 errors`: label and tooltip of the icon. */
  readonly label: string;
  /** `would break`: shown where there is room for words. */
  readonly word: string;
}

/** An open text file, for extensions of CodeMirror. */
export interface OpenFile {
  readonly path: string;
  readonly view: () => EditorView | undefined;
}

export interface Part {
  readonly leftViews?: readonly LeftView[];
  readonly railTabs?: readonly RailTab[];
  readonly bottomViews?: readonly BottomView[];
  readonly rightView?: RightView;
  readonly statusItems?: readonly StatusItem[];
  readonly tabTypes?: readonly TabType[];
  readonly commands?: readonly Command[];
  readonly settings?: readonly SettingDefinition[];
  /** The verdict of the unsaved text; one part has it. Offline and save conflicts are put before it by the shell. */
  readonly verdict?: ReadonlySignal<StatusVerdict | undefined>;
  /** By path. Marks of several parts are shown beside each other. */
  readonly fileMarks?: ReadonlySignal<ReadonlyMap<string, FileMark>>;
  /** Added to the editor of every text file. */
  readonly editorExtension?: (file: OpenFile) => Extension;
  /** Shown in place of a file's text, such as the choice in a save conflict; undefined: the text. */
  readonly fileBody?: (path: string) => ComponentChildren | undefined;
  /** Drawn over the page, such as a list beside the caret. */
  readonly floating?: () => ComponentChildren;
  /** A line above the text of a file or over an empty editor, such as `Not trusted yet`. */
  readonly notes?: () => ComponentChildren;
  /** Shown in a group without a tab; one part has it. */
  readonly emptyEditor?: () => ComponentChildren;
  /** What the palette lists after `#`. */
  readonly symbols?: (query: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>;
  /** Asked before files are saved. Every part must answer `save`. */
  readonly beforeSave?: (paths: readonly string[], signal: AbortSignal) => Promise<'save' | 'stop'>;
  /** The verdict of an edit of several files that was planned and not made, such as a rename; drawn below its files. */
  readonly planVerdict?: (plan: string) => ComponentChildren | undefined;
  /** Called after files were saved. */
  readonly afterSave?: (paths: readonly string[]) => void;
}
