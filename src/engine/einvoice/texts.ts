import type { InvoiceText } from '../ground/invoice-details.ts'

/** A sentence of data/einvoice/texts.json. Days are inclusive; null: open. */
type TextRecord = {
  key: string
  language: string
  country: string | null
  from: string | null
  to: string | null
  text: string
  source: string
  mark: string
  /** The code of the list that goes with it (VATEX). Left out: none. */
  code?: string
}

/** The sentences, and the language of the law by country. */
export type InvoiceTexts = {
  languages: Readonly<Record<string, string>>
  /** By language without sentences of its own: the one that stands for it. */
  instead: Readonly<Record<string, string>>
  /** How Directive 2006/112/EC is cited, by language, up to the number of the article. */
  directive: Readonly<Record<string, string>>
  texts: readonly TextRecord[]
}

type ChosenText = {
  text: string
  language: string
  source: 'confirmed' | 'unconfirmed'
  code: string | null
}

/** The language that is used if the request names none. */
export function languageOfLaw({ languages }: InvoiceTexts, country: string): string {
  return languages[country] ?? 'en'
}

/**
 * The sentence for a text on a day YYYY-MM-DD: that of the country, else the general one; in the language
 * asked for, else in the one that stands for it, else in that of the law, else in English.
 */
export function chooseText(
  texts: InvoiceTexts,
  { key, country, article }: InvoiceText,
  { language, law, day }: { language: string; law: string; day: string },
): ChosenText | null {
  const known = texts.texts.filter(
    ({ key: each, from, to }) => each === key && (from === null || from <= day) && (to === null || day <= to),
  )
  const own = known.filter((record) => country !== null && record.country === country)
  const among = own.length > 0 ? own : known.filter((record) => record.country === null)
  const found =
    [language, texts.instead[language], languageOfLaw(texts, country ?? law), languageOfLaw(texts, law), 'en']
      .map((each) => among.find((record) => record.language === each))
      .find((record) => record !== undefined) ?? among[0]
  if (found === undefined) return null
  return {
    text: article === undefined ? found.text : `${found.text} (${citedIn(found.language, article, texts)})`,
    language: found.language,
    source: found.mark === 'known' ? 'unconfirmed' : 'confirmed',
    code: found.code ?? null,
  }
}

const IN_ENGLISH = 'Directive 2006/112/EC, art. '

/** An article of the Directive is cited in the language of the sentence, a national one as it stands. */
function citedIn(language: string, article: string, { directive }: InvoiceTexts): string {
  return article.replaceAll(IN_ENGLISH, directive[language] ?? IN_ENGLISH)
}
