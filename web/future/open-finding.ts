/** Opens the place of a finding in a preview tab. */
import type { WireFinding } from '../../src/editor/protocol/evaluation.ts';
import type { Page } from '../shell/page.ts';

export function openFinding(page: Page, { path, range }: WireFinding): void {
  const { line, character } = range.start;
  page.openFile(path, { at: { path, line, character, end: range.end }, isPreview: true });
}
