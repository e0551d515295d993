/**
 * The part of somebody else's Markdown that is ours, between two comments that say so.
 *
 * Invariant: nothing outside the two comments changes, and a file whose comments do not pair is left alone.
 */
import { UneditableConfig } from './setup-failure.ts';

export type SectionName = 'rules' | 'skills';

export interface SectionFile {
  readonly file: string;
  readonly name: SectionName;
}

/** The text with `body` as our section: in its old place, or at the end. */
export function withSection(section: SectionFile, text: string, body: string): string {
  const { start, end } = markersOf(section.name);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = [start, ...body.trim().split('\n'), end].join(eol);
  const place = findSection(section, text);
  if (place) return text.slice(0, place.start) + block + text.slice(place.end);
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text.trim() === '' ? '' : text}${gap}${block}${eol}`;
}

/** The text without our section and the blank lines it stood between. */
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
    const remedy = `Leave one "${markers.start}" with one "${markers.end}" after it, or neither.`;
    throw new UneditableConfig(file, 'the comments around our section do not pair.', remedy);
  }
  return { start, end: end + markers.end.length };
}

function placesOf(text: string, marker: string): readonly number[] {
  return [...text.matchAll(new RegExp(marker.replace(/[-!<>]/g, '\\$&'), 'g'))].map(({ index }) => index);
}

function markersOf(name: SectionName): { readonly start: string; readonly end: string } {
  return { start: `<!-- forerun:${name}:start -->`, end: `<!-- forerun:${name}:end -->` };
}
