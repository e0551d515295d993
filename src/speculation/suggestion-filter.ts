/**
 * The rules a suggestion must pass before it is shown.
 *
 * Invariant: the first matching rule is the reason; a suggestion without a match is shown unchanged. Silence is cheap
 * and a bad suggestion is not, so in doubt a rule matches.
 */
import { hasSentenceBreak } from './sentence-break.ts';
import { assistantOpenings, evaluativeOpenings, opensWith } from './suggestion-phrase.ts';
import { countWords } from './word-count.ts';

export type SuggestionRuleName =
  | 'done'
  | 'meta_text'
  | 'meta_wrapped'
  | 'error_message'
  | 'prefixed_label'
  | 'too_few_words'
  | 'too_many_words'
  | 'too_long'
  | 'multiple_sentences'
  | 'has_formatting'
  | 'evaluative'
  | 'assistant_voice'
  | 'destructive';

interface SuggestionRule {
  readonly name: SuggestionRuleName;
  /** Whether the rule blocks this text. */
  readonly blocks: (text: string) => boolean;
}

/** The name of the first rule that blocks a suggestion; undefined if none does. */
export function blockingRule(suggestion: string): SuggestionRuleName | undefined {
  const text = suggestion.trim();
  return rules.find(({ blocks }) => blocks(text))?.name;
}

/** Destructive verbs, and objects that would be missed. */
const undoing =
  'delete|remove|drop|erase|wipe|purge|destroy|truncate|nuke|overwrite|discard|clear out|get rid of';
const precious = [
  'all|every\\w*|whole|entire|changes|data|history|backups?|director(?:y|ies)|folders?',
  'database|db|tables?|schema|branch(?:es)?|repo(?:sitory)?|bucket|volumes?|cluster|accounts?|users?|prod(?:uction)?',
].join('|');

const rules: readonly SuggestionRule[] = [
  {
    name: 'done',
    blocks: matching(/^(?:all |i'?m |it'?s |we'?re )?done[.!]*$/i, /^(?:完成了?|终了|完了|끝)[。.!！]*$/u),
  },
  {
    name: 'meta_text',
    blocks: matching(
      /^(?:silence|silent|nothing|none|null|undefined|empty|n\/?a|no ?op|skip)[.!]*$/i,
      /^(?:stay(?:ing)?|remain(?:ing)?|keep(?:ing)?) (?:silent|quiet)\b/i,
      /^(?:there is |there's )?(?:nothing|no (?:clear|obvious|likely|natural|good|next|specific)?\s*(?:suggestions?|predictions?|guess(?:es)?|next (?:input|step|steps|message|prompt)|input|response|reply))\b.*$/i,
      /\b(?:the user|this user) (?:would|will|might|may|is|has|wants?|should|could|probably)\b/i,
      /^(?:无|沉默|没有建议|无建议|特になし|なし|없음)[。.]*$/u,
    ),
  },
  { name: 'meta_wrapped', blocks: matching(/^[([{<（【［〈].*[)\]}>）】］〉][.。]?$/su, /^\*[^*]+\*$/s) },
  {
    name: 'error_message',
    blocks: matching(
      /^(?:api |http |server |fatal |network |unexpected )*error\s*[:(\d-]/i,
      /^(?:[A-Z]\w*)?(?:Error|Exception)\s*:/,
      /^[1-5]\d\d\b\s*[:{-]?\s*(?:[a-z_]*error|bad|unauthorized|forbidden|not found|too many|internal|service|gateway|overloaded|\{)/i,
      /\b(?:rate_limit|overloaded|invalid_request|authentication|permission|not_found|api)_error\b/i,
      /^(?:internal server error|bad gateway|service unavailable|gateway timeout|too many requests|unauthorized|forbidden)[.!]*$/i,
      /^(?:the )?(?:request|connection|stream|model|server|api)(?: (?:was|has|is|call))? (?:failed|timed out|refused|reset|aborted|overloaded|unavailable|cancelled|closed)\b/i,
      /^(?:prompt|input|context) (?:is |was )?too long\b/i,
      /^(?:your )?credit balance\b/i,
      /^(?:invalid|missing|incorrect) (?:api )?key\b/i,
      /^E(?:CONN\w+|TIMEDOUT|NOTFOUND|PIPE)\b/,
    ),
  },
  {
    name: 'prefixed_label',
    blocks: matching(
      /^[\p{L}][\p{L}\p{N}' _-]{0,28}:\s/u,
      /^[\p{L}][\p{L}\p{N} _-]{0,14}：/u,
      /^\p{L}[\p{L} ]{0,28} [-–—]> /u,
    ),
  },
  { name: 'too_few_words', blocks: isTooFew },
  {
    name: 'too_many_words',
    blocks: (text) => {
      const { words, unit } = countWords(text);
      return words > (unit === 'words' ? mostWords : mostCharacters);
    },
  },
  { name: 'too_long', blocks: (text) => text.length >= longestText },
  { name: 'multiple_sentences', blocks: hasSentenceBreak },
  {
    name: 'has_formatting',
    blocks: matching(
      /[\n\r\t\u2028]/,
      /\*\*|__|~~|`/,
      /(?:^|\s)\*\S[^*]*\*/,
      /^(?:#{1,6}|[-*+•>]|\d+[.)])\s/,
      /\]\(|<\/?[a-z][\w-]*>/i,
    ),
  },
  { name: 'evaluative', blocks: (text) => opensWith(text, evaluativeOpenings) },
  { name: 'assistant_voice', blocks: (text) => opensWith(text, assistantOpenings) },
  {
    name: 'destructive',
    blocks: matching(
      /(?:^|\s)(?:sudo|rm|rmdir|mkfs\S*|dd|shred|truncate|chmod|chown|shutdown|reboot|kill|killall|pkill)\s+[-\w./~]/i,
      /(?:^|\s)(?:-rf|-fr|--force|--hard|--no-verify|-f)(?=$|\s)/i,
      /\bforce[- ]?push|\bpush\b.*\bforce\b|\breset\b.*\bhard\b|\bgit clean\b/i,
      new RegExp(`\\b(?:${undoing})\\b.*\\b(?:${precious})\\b`, 'i'),
      /\b(?:wipe|nuke|destroy|purge)\b/i,
      /https?:\/\/|www\.\w/i,
      /[|;&<>$\\]|\{\}/,
      /(?:删除|清空|移除|丢弃)(?:所有|全部|整个|数据库|分支|仓库)|(?:全部|すべて|全て).*(?:削除|消して)/u,
    ),
  },
];

const mostWords = 12;
/** The length of about twelve words in scripts without spaces. */
const mostCharacters = 30;
const longestText = 100;

/** Single words that users do type. */
const wordsAlone: ReadonlySet<string> = new Set(
  [
    'yes yeah yep yup sure y no nope n ok okay k',
    'go continue proceed next again retry resume stop wait cancel undo redo revert rollback',
    'commit push pull merge rebase deploy release publish ship',
    'run test tests build lint format check typecheck start restart debug refactor',
    'explain why how help exit quit clear approve approved both neither first second',
    'ja nein weiter oui non si sí да нет',
    '好 是 对 行 可 要 不 네 예 응',
  ].flatMap((line) => line.split(' ')),
);

function isTooFew(text: string): boolean {
  if (countWords(text).words >= 2) return false;
  if (/^\/[a-z][\w-]*$/i.test(text)) return false;
  return !wordsAlone.has(text.toLowerCase().replace(/[.!?。！？]+$/u, ''));
}

function matching(...patterns: readonly RegExp[]): (text: string) => boolean {
  return (text) => patterns.some((pattern) => pattern.test(text));
}
