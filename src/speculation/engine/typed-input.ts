/** How what a user types relates to what was suggested. */

/** Whether the suggestion may still be what is being typed. Nothing typed yet is the beginning of anything. */
export function isBeginningOf(typed: string, suggestion: string): boolean {
  const [begun, whole] = [folded(typed).trimStart(), folded(suggestion)];
  return whole.startsWith(begun) || begun.trimEnd() === whole;
}

/** Whether an input says what was suggested, however it came to be there. */
export function isSameInput(input: string, suggestion: string): boolean {
  return bare(input) === bare(suggestion);
}

/** Whether an input says what was suggested, and possibly more. */
export function continuesSuggestion(input: string, suggestion: string): boolean {
  const [said, guessed] = [bare(input), bare(suggestion)];
  return guessed !== '' && said.startsWith(guessed) && !wordGoesOn.test(said.slice(guessed.length));
}

/** In scripts with spaces a letter means that the last word is another one. */
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
