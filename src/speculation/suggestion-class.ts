/**
 * The kind of request that a suggestion makes, coarse enough to learn from.
 *
 * Invariant: a class reveals nothing about the text but its kind.
 */
export const suggestionClasses = ['answer', 'check', 'commit', 'change', 'ask', 'other'] as const;

export type SuggestionClass = (typeof suggestionClasses)[number];

export function classOf(suggestion: string): SuggestionClass {
  const text = suggestion.trim().toLowerCase();
  return table.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

const table: readonly (readonly [SuggestionClass, RegExp])[] = [
  ['commit', /\b(?:commit|push|merge|rebase|tag|release|deploy|publish|pr|pull request)\b|提交|推送/u],
  ['check', /\b(?:tests?|build|lint|typecheck|check|verify|run|benchmark|compile)\b|测试|运行|テスト|実行/u],
  [
    'change',
    /\b(?:add|fix|rename|move|change|update|refactor|implement|write|create|remove|replace|use|make|extract|convert|apply|do the same|clean|simplify|document|handle|support|wire|bump)\b|修复|添加|修改|重构|直して|追加/u,
  ],
  [
    'ask',
    /\?$|^(?:why|what|how|where|when|who|which|explain|show|is|are|does|do|can|could)\b|？$|为什么|怎么/u,
  ],
  [
    'answer',
    /^(?:yes|yeah|yep|sure|no|nope|ok|okay|go|continue|proceed|next|both|neither|the |option |first|second|1|2|3|a|b)\b|^(?:是|好|对|继续|はい|いいえ)/u,
  ],
];
