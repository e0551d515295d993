/** Compares what the user types with the suggestion. */

/** Whether the typed text may still become the suggestion. An empty text may become anything. */
export function isBeginningOf(typed: string, suggestion: string): boolean {
  const [begun, whole] = [folded(typed).trimStart(), folded(suggestion)];
  return whole.startsWith(begun) || begun.trimEnd() === whole;
}

/** Whether an input equals the suggestion, apart from case, spaces and a final full stop. */
export function isSameInput(input: string, suggestion: string): boolean {
  return bare(input) === bare(suggestion);
}

/** Whether an input equals the suggestion or continues it. */
export function continuesSuggestion(input: string, suggestion: string): boolean {
  const [said, guessed] = [bare(input), bare(suggestion)];
  return guessed !== '' && said.startsWith(guessed) && !wordGoesOn.test(said.slice(guessed.length));
}

/** In scripts with spaces, a letter here continues the last word, which is then a different word. */
const wordGoesOn = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function bare(text: string): string {
  return folded(text)
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.。!！]+$/u, '');
}
