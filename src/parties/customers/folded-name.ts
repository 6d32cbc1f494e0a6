/** Letters that Unicode does not take apart into a letter and its accents, as people write them without. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}

/**
 * A name in small letters and without accents, so that `Müller` and `Muller` find each other. `Mueller` is
 * another name. A migration did the same for the names of earlier releases: a change here needs another.
 */
export function foldedName(name: string): string {
  const bare = name.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
  return bare
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^ -~]/g, (letter) => PLAIN[letter] ?? letter)
}

/** What is stored beside a name; null if SQLite finds the same in small letters. */
export function nameToStore(name: string | null): string | null {
  return name === null || !/[^ -~]/.test(name) ? null : foldedName(name)
}
