/** What people read on a terminal. */
import { humanReport } from '../human-report.ts';
import { mergeReport } from '../merge-report.ts';
import { rankingReport } from '../ranking-report.ts';
import type { ReportFormat } from './report-format.ts';

export const humanFormat: ReportFormat = {
  name: 'human',
  about: 'for a person, with the code around each place',
  render({ outcome }, palette) {
    switch (outcome.kind) {
      case 'change':
        return humanReport(outcome.check, palette);
      case 'ranking':
        return rankingReport(outcome.ranked, palette);
      case 'merge':
        return mergeReport(outcome.check, palette);
    }
  },
};
