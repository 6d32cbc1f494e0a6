import { UNION_SCHEMES } from '../../engine/ground/schemes.ts'

/**
 * Where an office wants an entry of a filed period that was recorded late. `lines`: the return has lines of
 * corrections by period. `boxes`: within `limit` in the boxes of the next return. `amend`: the old return is
 * corrected, and the next one has nothing of it.
 */
export type LateRule = {
  where: 'lines' | 'boxes' | 'amend'
  /** Left out: every amount is in the boxes. */
  limit?: LateLimit
  /** The notice that the office needs otherwise. */
  notice: string
  source: string
  source_url: string | null
}

/**
 * The most that the late entries of a return may change its tax, together and in minor units: more tax or
 * less. Null: any amount. `share`: a part of a figure in millionths, at most `max`. Of it and the fixed limit
 * the higher one counts. `months`: so many months after the end of a period entries of more tax are too old.
 */
type LateLimit = {
  more: number | null
  less: number | null
  share?: { of: 'tax' | `box ${string}`; millionths: number; max: number }
  months?: number
}

const LINES: LateRule = {
  where: 'lines',
  notice: 'corrections by period, on the return itself',
  source: 'Implementing Regulation (EU) 282/2011, art. 61',
  source_url: null,
}

/** A list of all sales is no form of an office: a line says what changes each filed period. */
const LIST: LateRule = {
  where: 'lines',
  notice: 'a line of its own: look up what the office of each place wants',
  source: 'This service',
  source_url: null,
}

/** No rule of the office is on file. A return that is wrong is corrected, unless a rule says otherwise. */
const BY_DEFAULT: LateRule = {
  where: 'amend',
  notice: 'an amended return of the period',
  source: 'The default of this service: no rule of this office for later returns is in the data',
  source_url: null,
}

/**
 * The limit is for the errors that are discovered in one period, of all returns together: what an earlier
 * return declared counts no more (SI 1995/2518, reg. 34; HMRC, VAEC7150).
 */
const UNITED_KINGDOM: LateRule = {
  where: 'boxes',
  limit: {
    more: 1_000_000,
    less: 1_000_000,
    share: { of: 'box 6', millionths: 10_000, max: 5_000_000 },
    months: 48,
  },
  notice: 'VAT652, or the online service for VAT errors (method 2)',
  source: 'HMRC, VAT Notice 700/45, section 4',
  source_url:
    'https://www.gov.uk/guidance/how-to-correct-vat-errors-and-make-adjustments-or-claims-vat-notice-70045',
}

/** The value limit is that of a turnover below 20 million dollars: for a higher turnover it is higher. */
const AUSTRALIA: LateRule = {
  where: 'boxes',
  limit: { more: 1_249_999, less: null, months: 18 },
  notice: 'a revised activity statement of the period',
  source: 'A New Tax System (Goods and Services Tax) (Correcting GST Errors) Determination 2023, s. 6, 7',
  source_url: 'https://www.ato.gov.au/law/view/print?DocID=OPS%2FLI202332%2F00001&PiT=99991231235958',
}

const NEW_ZEALAND: LateRule = {
  where: 'boxes',
  limit: { more: 100_000, less: 100_000, share: { of: 'tax', millionths: 20_000, max: 1_000_000 } },
  notice: 'a request to amend the assessment of the period (s. 113)',
  source: 'Tax Administration Act 1994, s. 113A',
  source_url: 'https://www.legislation.govt.nz/act/public/1994/0166/latest/DLM348342.html',
}

/**
 * The Acts have no correction of an earlier period's tax on a later return. What is given back is an
 * adjustment of the period of its credit note (Excise Tax Act, s. 232(3)), and so none of its own.
 */
const CANADA: LateRule = {
  where: 'amend',
  notice: 'Adjust a return, in My Business Account or in writing',
  source: 'Canada Revenue Agency, Adjusting a GST/HST (and QST) return; Excise Tax Act, s. 225, 228, 232(3)',
  source_url:
    'https://www.canada.ca/en/revenue-agency/services/e-services/digital-services-businesses/business-account/adjust-a-return.html',
}

const RULES: ReadonlyMap<string, LateRule> = new Map<string, LateRule>(
  Object.entries({
    ...Object.fromEntries(UNION_SCHEMES.map((scheme) => [scheme, LINES])),
    generic: LIST,
    uk_vat100: UNITED_KINGDOM,
    au_bas: AUSTRALIA,
    nz_gst101a: NEW_ZEALAND,
    ca_gst34: CANADA,
    ca_qst: { ...CANADA, notice: 'an amended QST return of the period, with Revenu Québec' },
    us_state: { ...BY_DEFAULT, notice: 'an amended return of the period, with the state' },
    al_ssut: { ...BY_DEFAULT, notice: 'an amended return of the period, in My Alabama Taxes' },
    'eu_domestic DE': {
      where: 'amend',
      notice: 'a corrected Voranmeldung of the period (Kz 10 = 1), without delay',
      source: 'Abgabenordnung, § 153; what changes a consideration is of its own period (UStG, § 17)',
      source_url: 'https://www.gesetze-im-internet.de/ao_1977/__153.html',
    },
    'eu_domestic FR': {
      where: 'boxes',
      limit: { more: 400_000, less: null },
      notice: 'a déclaration rectificative of the period',
      source: 'BOI-TVA-DECLA-20-20-20-10, paragraph 245',
      source_url: 'https://bofip.impots.gouv.fr/bofip/189-PGP.html',
    },
    'eu_domestic IE': {
      where: 'boxes',
      limit: { more: 599_999, less: null },
      notice: 'an amended VAT3 of the period, and a self-correction in writing',
      source: 'Irish Revenue, Code of Practice for Revenue Compliance Interventions, chapter 2',
      source_url: 'https://www.charteredaccountants.ie/News/self-correction-without-penalty-policy-update',
    },
    'eu_domestic NL': {
      where: 'boxes',
      limit: { more: 100_000, less: 100_000 },
      notice: 'a suppletie omzetbelasting, within eight weeks',
      source:
        'Algemene wet inzake rijksbelastingen, art. 10a; Uitvoeringsbesluit omzetbelasting 1968, art. 15',
      source_url: 'https://wetten.overheid.nl/BWBR0002633',
    },
    'generic SG': {
      where: 'boxes',
      limit: { more: 300_000, less: 300_000 },
      notice: 'GST F7; also if other boxes change by more than 5 % of box 4',
      source: 'IRAS, Correcting errors made in GST return (filing GST F7)',
      source_url:
        'https://iras.gov.sg/taxes/goods-services-tax-(gst)/filing-gst/correcting-errors-made-in-gst-return-(filing-gst-f7)',
    },
    'generic AE': {
      where: 'boxes',
      limit: { more: 1_000_000, less: 0 },
      notice: 'a voluntary disclosure (VAT 211), within 20 business days',
      source: 'Federal Decree-Law 28/2022, art. 10; Cabinet Decision 74/2023, art. 10',
      source_url:
        'https://www.crowe.com/ae/news/avoid-heavy-penalties---know-when-to-file-a-voluntary-disclosure',
    },
    'generic SA': {
      where: 'boxes',
      limit: { more: 1_499_999, less: null },
      notice: 'a corrected return of the period, within 20 days',
      source: 'VAT Implementing Regulations, art. 63, as changed in April 2025',
      source_url: 'https://gcctaxlaws.com/decisions/ksa-vat-law-m-113-of-2017-ir-3839-article-63-of-2016',
    },
  } satisfies Record<string, LateRule>),
)

/** The rule of a form, or of its jurisdiction. */
export function lateRuleOf(type: string, jurisdiction_id: string | null): LateRule {
  if (jurisdiction_id === null) return RULES.get(type) ?? BY_DEFAULT
  const own = RULES.get(`${type} ${jurisdiction_id}`)
  return own ?? (type === 'generic' ? BY_DEFAULT : (RULES.get(type) ?? BY_DEFAULT))
}
