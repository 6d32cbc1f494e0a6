/** What a page or an answer says that a reader may find wrong. */
export type Doubt = { place: string; day: string; data_version?: string; product_type?: string }

/** The fields of a doubt, as the form of the project names them. */
const FIELDS = ['place', 'day', 'product_type', 'data_version'] as const

/** No text of a doubt is longer. */
const TEXT_MAX = 60

const FORMS = 'https://github.com/tax-compliance/tax-compliance-service/issues/new?labels=data&template='
/** The form "A rate is wrong" of the project. */
const FORM = `${FORMS}wrong-rate.yml`
/** Its form for whoever wants to keep a country. */
export const ADOPT_FORM = `${FORMS}adopt-a-country.yml`

/** The page of the service that says how to report an answer. Pages, guides and the console link to it. */
export function wrongLink(doubt: Doubt): string {
  return `/wrong?${paramsOf(doubt).toString()}`
}

/** The doubt that such a link names. */
export function doubtOf(query: Readonly<Record<string, string>>): Doubt {
  const { place = '', day = '', product_type, data_version } = query
  const known = { place, day, ...(product_type && { product_type }), ...(data_version && { data_version }) }
  return Object.fromEntries(
    Object.entries(known).map(([name, text]) => [name, oneLine(text).slice(0, TEXT_MAX)]),
  ) as Doubt
}

/** A text without the ends of lines by which a mail would have more fields. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ')
}

/**
 * Where a doubt is reported, with its fields filled in: REPORTS_URL, which is a form of the operator or a
 * mail address, else the form of the project.
 */
export function reportAddress({ REPORTS_URL }: { REPORTS_URL?: string }, doubt: Doubt): string {
  const own = URL.parse(REPORTS_URL ?? '')
  const base = own !== null && ['https:', 'mailto:'].includes(own.protocol) ? own : new URL(FORM)
  const written = FIELDS.map((name) => `${name}: ${doubt[name] ?? ''}`).join('\n')
  const filled =
    base.protocol === 'mailto:'
      ? new URLSearchParams({ subject: `Wrong tax in ${doubt.place}`, body: written })
      : paramsOf(doubt)
  // A mail program reads `+` as a plus.
  const added = String(filled).replaceAll('+', '%20')
  base.search = base.search === '' ? added : `${base.search}&${added}`
  return base.href
}

function paramsOf(doubt: Doubt): URLSearchParams {
  return new URLSearchParams(
    FIELDS.flatMap((name) => {
      const { [name]: text } = doubt
      return text === undefined ? [] : [[name, text]]
    }),
  )
}
