/**
 * Key sequences such as `Ctrl K F`: read from text, and matched against what is pressed.
 *
 * `Ctrl` is ⌘ on macOS; `Ctrl M` alone stays, since ⌘ M belongs to the system.
 */
export interface Chord {
  readonly isCtrl: boolean;
  readonly isShift: boolean;
  readonly isAlt: boolean;
  /** `KeyboardEvent.key` in lower case; for letters and digits with Ctrl or Alt the physical key counts too. */
  readonly key: string;
  /** `Ctrl Shift P`. */
  readonly shown: string;
}

export type KeySequence = readonly Chord[];

const modifiers = new Set(['ctrl', 'shift', 'alt']);
const names: Readonly<Record<string, string>> = {
  pageup: 'pageup',
  pagedown: 'pagedown',
  space: ' ',
  esc: 'escape',
  '→': 'arrowright',
  '←': 'arrowleft',
};

/** `Ctrl K F`: a word that is not a modifier ends a chord. */
export function parseKeys(text: string): KeySequence {
  const chords: Chord[] = [];
  let words: string[] = [];
  for (const word of text.split(' ').filter((each) => each !== '')) {
    words.push(word);
    if (modifiers.has(word.toLowerCase())) continue;
    const held = new Set(words.slice(0, -1).map((each) => each.toLowerCase()));
    const key = word.toLowerCase();
    chords.push({
      isCtrl: held.has('ctrl'),
      isShift: held.has('shift'),
      isAlt: held.has('alt'),
      key: names[key] ?? key,
      shown: words.join(' '),
    });
    words = [];
  }
  return chords;
}

/** What a key press offers for a match. */
export interface Press {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export function matches(chord: Chord, press: Press, platform: 'mac' | 'other'): boolean {
  const isMacCtrl = platform === 'mac' && chord.key !== 'm';
  const isCtrlHeld = isMacCtrl ? press.metaKey : press.ctrlKey;
  if (isCtrlHeld !== chord.isCtrl || press.altKey !== chord.isAlt) return false;
  const key = press.key.toLowerCase();
  const isLetter = /^[a-z]$/.test(chord.key);
  // A sign such as `\`` or `.` may need Shift on some layouts; for letters and named keys Shift must agree.
  if ((isLetter || chord.key.length > 1) && press.shiftKey !== chord.isShift) return false;
  if (key === chord.key) return true;
  // With Alt, macOS and other layouts report the character that would be typed.
  return isLetter
    ? press.code === `Key${chord.key.toUpperCase()}` && !/^[a-z]$/.test(key)
    : isSignCode(chord.key, press.code);
}

const signCodes: Readonly<Record<string, string>> = { '`': 'Backquote', '.': 'Period', '\\': 'Backslash' };

function isSignCode(sign: string, code: string): boolean {
  return signCodes[sign] === code;
}

/** A press of a modifier alone continues no sequence and ends none. */
export function isModifierPress(press: Pick<Press, 'key'>): boolean {
  return ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(press.key);
}
