/** A key press, independent of the bytes the terminal sends for it. */
export type Key =
  /** Printable characters. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: KeyName };

export type KeyName =
  | 'enter'
  | 'newline'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'erase-word'
  | 'erase-before'
  | 'erase-after'
  | 'interrupt'
  | 'end-of-input'
  | 'clear-screen'
  | 'toggle-output'
  /** A key without meaning here. */
  | 'other';
