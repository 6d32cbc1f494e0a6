/** The words of a title, without accents and endings of the plural: `Box of Cherries` as box, of, cherry. */
export function wordsOf(text: string): string[] {
  return partsOf(text).flat()
}

/** Where a title stops to name its product, and begins to say what it is like. */
const PARTS = /\s(?:for|with|in|by|of|from|and)\s|\s[-–—]\s|[,:;()[\]|/]/

/** The parts of a title, each as its words: `Case for a phone, black` as three. */
export function partsOf(title: string): string[][] {
  const plain = title
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’']s?\b/g, '')
    .toLowerCase()
  return plain.split(PARTS).map((part) => (part.match(/[a-z]+/g) ?? []).map(singular))
}

function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word
  if (word.length > 4 && /ies?$/.test(word)) return word.replace(/ies?$/, 'y')
  return word.replace(/(?<=ss|x|ch|sh|ato|ngo)es$|s$/, '')
}
