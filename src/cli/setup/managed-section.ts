/**
 * Our section in a Markdown file of the user, between two marker comments.
 *
 * Invariant: nothing outside the markers changes, and a file whose markers do not match is not changed.
 */
import { UneditableConfig } from './setup-failure.ts';

export type SectionName = 'rules' | 'skills';

export interface SectionFile {
  readonly file: string;
  readonly name: SectionName;
}

/** The text with `body` as our section: at its old position, or at the end. */
export function withSection(section: SectionFile, text: string, body: string): string {
  const { start, end } = markersOf(section.name);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = [start, ...body.trim().split('\n'), end].join(eol);
  const place = findSection(section, text);
  if (place) return text.slice(0, place.start) + block + text.slice(place.end);
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text.trim() === '' ? '' : text}${gap}${block}${eol}`;
}

/** The text without our section and its surrounding blank lines. */
export function withoutSection(section: SectionFile, text: string): string {
  const place = findSection(section, text);
  if (!place) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, place.start).replace(/(\r?\n)+$/, '');
  const after = text.slice(place.end).replace(/^(\r?\n)+/, '');
  if (before === '') return after;
  return after === '' ? before + eol : `${before}${eol}${eol}${after}`;
}

interface SectionPlace {
  readonly start: number;
  readonly end: number;
}

function findSection({ file, name }: SectionFile, text: string): SectionPlace | undefined {
  const markers = markersOf(name);
  const starts = placesOf(text, markers.start);
  const ends = placesOf(text, markers.end);
  if (starts.length === 0 && ends.length === 0) return undefined;
  const [start, end] = [starts[0], ends[0]];
  if (starts.length !== 1 || ends.length !== 1 || start === undefined || end === undefined || end < start) {
    const remedy = `Keep one "${markers.start}" followed by one "${markers.end}", or remove both.`;
    throw new UneditableConfig(file, 'the markers of our section do not match.', remedy);
  }
  return { start, end: end + markers.end.length };
}

function placesOf(text: string, marker: string): readonly number[] {
  return [...text.matchAll(new RegExp(marker.replace(/[-!<>]/g, '\\$&'), 'g'))].map(({ index }) => index);
}

function markersOf(name: SectionName): { readonly start: string; readonly end: string } {
  return { start: `<!-- forerun:${name}:start -->`, end: `<!-- forerun:${name}:end -->` };
}
