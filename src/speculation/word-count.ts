/**
 * The length of a short text in words.
 *
 * Scripts without spaces (Chinese, Japanese, Thai and similar) are counted by characters, all others by words between
 * spaces. Korean uses spaces.
 */
export interface WordCount {
  readonly words: number;
  /** What the count is of, which decides how many are few or many. */
  readonly unit: 'words' | 'characters';
}

export function countWords(text: string): WordCount {
  const unspaced = text.match(unspacedCharacter)?.length ?? 0;
  const spaced = text
    .replace(unspacedCharacter, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return { words: unspaced + spaced, unit: unspaced > spaced ? 'characters' : 'words' };
}

const unspacedCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/gu;
