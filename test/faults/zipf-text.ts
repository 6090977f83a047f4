/** Generates text of one language with word frequencies by Zipf's law. */
export interface Vocabulary {
  readonly language: string;
  /** Returns `count` words, separated by spaces. */
  words(count: number): string;
}

/** Words in a vocabulary, as on a large site. Missing words are combined from two known ones. */
const size = 150_000;
/** Mandelbrot's shift of the ranks. */
const shift = 2.7;

/** Returns a vocabulary for each language, with its words ranked by their frequency in the texts. */
export function vocabularies(texts: readonly { language: string; text: string }[]): Vocabulary[] {
  return ['english', 'german', 'french'].map((language) => {
    const own = texts.filter((one) => one.language === language).map(({ text }) => text);
    return vocabulary(language, own);
  });
}

function vocabulary(language: string, texts: readonly string[]): Vocabulary {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = [...counts].toSorted(([, one], [, other]) => other - one).map(([word]) => word);
  const known = ranked.length;
  for (let made = 0; ranked.length < size; made++)
    ranked.push(`${ranked[made % known]}${ranked[(made * 7919 + Math.floor(made / known)) % known]}`);
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 1 + shift);
    sums[rank] = sum;
  }
  const draw = (): string => {
    const at = Math.random() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return ranked[low] ?? '';
  };
  return { language, words: (count) => Array.from({ length: count }, draw).join(' ') };
}
