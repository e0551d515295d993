/** What programs read that want everything. */

import { mergePayload } from '../../../tools/merge/merge-payload.ts';
import { jsonReport } from '../json-report.ts';
import { rankingJson } from '../ranking-report.ts';
import type { WhatifOutcome } from './report.ts';
import { jsonText, type ReportFormat } from './report-format.ts';

export const jsonFormat: ReportFormat = {
  name: 'json',
  about: 'the complete answer',
  render: ({ outcome }) => jsonText(payload(outcome)),
};

function payload(outcome: WhatifOutcome): unknown {
  switch (outcome.kind) {
    case 'change':
      return jsonReport(outcome.check);
    case 'ranking':
      return rankingJson(outcome.ranked);
    case 'merge':
      return mergePayload(outcome.check, outcome.check);
  }
}
