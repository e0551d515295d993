/** What a person does at a keyboard, whatever bytes their terminal sends for it. */
export type Key =
  /** Characters that stand for themselves. */
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
  /** One that means nothing here. */
  | 'other';
