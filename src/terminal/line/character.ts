/**
 * Splits text into grapheme clusters: a letter with its marks, a flag or a family is one character.
 *
 * On Node 20, the cost of `Intl.Segmenter` grows with the square of the text. A text is therefore split at certain
 * boundaries first, and only the pieces between them are segmented.
 *
 * Invariant: all functions find the same boundaries, and their cost depends on the length of the queried part, not of
 * the text. To guarantee this, a run of marks longer than any character is cut at the beginning of a block if the
 * block before it has no certain boundary.
 */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A multiple of the length of a flag, so that a text of flags is cut between two flags. */
const blockLength = 512;

/** The characters of a text. */
export function charactersOf(text: string): readonly string[] {
  return plainAscii.test(text) ? text.split('') : [...charactersFrom(text, 0)];
}

/** The characters after a boundary, computed lazily. */
export function* charactersFrom(text: string, boundary: number): Generator<string> {
  let at = boundary;
  while (at < text.length) {
    const next = at + unitsAt(text, at);
    if (isCertain(text, next) && isPlainAt(text, at)) {
      yield text.slice(at, next);
      at = next;
      continue;
    }
    const end = runEnd(text, at);
    for (const { segment } of segmenter.segment(text.slice(at, end))) yield segment;
    at = end;
  }
}

/** The first boundary at or after an offset. */
export function boundaryFrom(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  let end = runStart(text, offset);
  for (const character of charactersFrom(text, end)) {
    if (end >= offset) break;
    end += character.length;
  }
  return end;
}

/** The boundary before the character that ends at an offset. */
export function boundaryBefore(text: string, offset: number): number {
  if (offset <= 0) return 0;
  let start = runStart(text, offset - 1);
  for (const character of charactersFrom(text, start)) {
    if (start + character.length >= offset) break;
    start += character.length;
  }
  return start;
}

/** Text in which every code unit is a character. */
const plainAscii = /^[\x20-\x7e\n]*$/;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Whether a boundary is certain regardless of distant text: it lies between two code points that never combine. */
function isCertain(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return true;
  const [before, after] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  if (before === lineFeed || (after === lineFeed && before !== carriageReturn)) return true;
  return isPlainAt(text, offset) && isPlainBefore(text, offset);
}

function isPlainBefore(text: string, offset: number): boolean {
  const low = text.charCodeAt(offset - 1);
  const isPair = isLow(low) && offset > 1 && isHigh(text.charCodeAt(offset - 2));
  return isPlainAt(text, isPair ? offset - 2 : offset - 1);
}

function isPlainAt(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  // Every control character stands alone, except a carriage return before a line feed.
  if (unit < 0x7f) return unit !== carriageReturn;
  if (isIdeograph(unit)) return true;
  const code = text.codePointAt(offset) ?? 0;
  return code <= 0xffff ? attachesToNothing.test(String.fromCodePoint(code)) : isPlainAstral(code);
}

function isIdeograph(unit: number): boolean {
  return (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7a3);
}

/** Letters of other planes are left to the segmenter: some combine with the following character. */
function isPlainAstral(code: number): boolean {
  return (
    (code >= 0x20000 && code <= 0x323af) || /^\p{Extended_Pictographic}$/u.test(String.fromCodePoint(code))
  );
}

/** Letters and digits, without Hangul jamo and the few letters that combine with a neighbour. */
const attachesToNothing =
  /^(?![\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f])[\p{L}\p{Nd}\p{Extended_Pictographic}]$/u;

/** The end of the run that begins at a boundary. */
function runEnd(text: string, start: number): number {
  let end = start;
  // The block in which the run begins has a certain boundary, or is cut at its beginning.
  const cut = alignedAt(text, blockOf(start) + (isCut(text, start) ? 1 : 2));
  do end += unitsAt(text, end);
  while (end < cut && !isCertain(text, end));
  return Math.min(end, text.length);
}

/** The beginning of the run that contains an offset. */
function runStart(text: string, offset: number): number {
  const cut = alignedAt(text, blockOf(offset));
  const found = certainBefore(text, offset, cut);
  if (found !== undefined) return found;
  return certainBefore(text, cut - 1, alignedAt(text, blockOf(offset) - 1)) ?? cut;
}

/** The last certain boundary at or before an offset and not before `least`. */
function certainBefore(text: string, offset: number, least: number): number | undefined {
  let at = isInsidePair(text, offset) ? offset - 1 : offset;
  while (at >= least) {
    if (isCertain(text, at)) return at;
    at -= isInsidePair(text, at - 1) ? 2 : 1;
  }
  return undefined;
}

/** Whether a boundary is only the beginning of a block. */
function isCut(text: string, boundary: number): boolean {
  return !isCertain(text, boundary);
}

function blockOf(offset: number): number {
  return Math.floor(offset / blockLength);
}

/** The beginning of a block, which never lies inside a code point. */
function alignedAt(text: string, block: number): number {
  const start = Math.max(0, block) * blockLength;
  return isInsidePair(text, start) ? start - 1 : start;
}

function unitsAt(text: string, offset: number): 1 | 2 {
  return isInsidePair(text, offset + 1) ? 2 : 1;
}

function isInsidePair(text: string, offset: number): boolean {
  return offset > 0 && isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
