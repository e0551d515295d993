/**
 * Openings of praise and of assistant speech.
 *
 * Invariant: a phrase counts only as a whole at the start of a text, after at most one interjection.
 */
export function opensWith(text: string, phrases: readonly string[]): boolean {
  const plain = text.toLowerCase().replace(/[‘’]/g, "'");
  const starts = [plain, plain.replace(interjection, '')];
  return phrases.some((phrase) =>
    starts.some((start) => start.startsWith(phrase) && endsAfter(start, phrase)),
  );
}

const interjection = /^(?:ok|okay|yes|yeah|wow|oh|ah|hmm|cool|great|alright|so|now|and)[,.!]? /;

/** In scripts with spaces, a following letter would make it another word. */
function endsAfter(text: string, phrase: string): boolean {
  const isSpaced = /[\p{Script=Latin}\p{N}]$/u.test(phrase);
  return !isSpaced || !/^[\p{L}\p{N}'’-]/u.test(text.slice(phrase.length));
}

export const evaluativeOpenings: readonly string[] = [
  ...['thanks', 'thank you', 'many thanks', 'thx', 'cheers', 'danke', 'merci', 'gracias'],
  ...['perfect', 'great', 'nice', 'awesome', 'excellent', 'amazing', 'brilliant', 'fantastic', 'wonderful'],
  ...['beautiful', 'impressive', 'lovely', 'sweet', 'well done', 'lgtm', 'makes sense'],
  ...['good job', 'good work', 'good stuff', 'good catch', 'good point', 'good idea', 'good call'],
  ...['love it', 'love this', 'love that', 'i like it', 'i like this', 'i like that', 'i love'],
  ...judged([
    'looks',
    'look',
    'sounds',
    'that looks',
    'this looks',
    'it looks',
    'that sounds',
    "that's",
    'that is',
  ]),
  ...['that works', 'this works', 'it works', 'works well', 'works great', 'works perfectly', 'works for me'],
  ...['谢谢', '多谢', '感谢', '太好了', '很好', '不错', '完美', '真棒', '好极了', '看起来不错'],
  ...['ありがとう', '素晴らしい', 'いいですね', '完璧', '감사', '고마워', '좋아요', '완벽'],
];

export const assistantOpenings: readonly string[] = [
  ...['let me', "let's see", "i'll", 'i will', 'i shall', 'i can', 'i could', 'i have', "i've"],
  ...[
    "i'd be",
    'i would be',
    'i am going',
    "i'm going",
    "i'm happy",
    'i am happy',
    'i apologize',
    'i apologise',
  ],
  ...['i understand', 'i see that', 'i see the', 'i noticed', 'i found', 'i suggest', 'i recommend'],
  ...[
    "here's",
    'here is',
    'here are',
    'sure,',
    'sure!',
    'sure thing',
    'certainly',
    'of course',
    'absolutely',
  ],
  ...[
    'definitely',
    'as an ai',
    'you can',
    'you could',
    'you should',
    'you might',
    'you may',
    'you need',
    'you will',
  ],
  ...['would you like', 'would you prefer', 'do you want', 'do you need', 'shall i', 'shall we', 'may i'],
  ...['should i go', 'should i proceed', 'should i continue', 'should i start', 'should i also'],
  ...[
    'is there anything',
    'it looks like',
    'it seems',
    'it appears',
    'based on',
    'the next step',
    'next, i',
    'next, we',
  ],
  ...[
    'feel free',
    'what would you',
    'how can i',
    'please let me',
    'to do this,',
    'to fix this,',
    'to solve this,',
  ],
  ...['让我', '我来', '我会', '我将', '好的，我', '您可以', '你可以', '需要我', '我已'],
  ...['もちろん', '私が', 'よろしければ', '제가'],
];

function judged(beginnings: readonly string[]): readonly string[] {
  const words = [
    'good',
    'great',
    'fine',
    'right',
    'correct',
    'nice',
    'perfect',
    'solid',
    'ok',
    'okay',
    'reasonable',
  ];
  return beginnings.flatMap((beginning) => words.map((word) => `${beginning} ${word}`));
}
