/**
 * The groups of sales that returns of countries with one VAT or GST ask for. `taxed`: taxed in the country.
 * `zero`: at 0 % in the country. `exempt`: any other sale in the country without tax. `exports`: goods and
 * services that left it untaxed. `abroad`: other supplies of a seller of the country outside it.
 * `reverse_charge`: services to businesses in the country, which account for the tax.
 */
export const NATIONAL_GROUPS = ['taxed', 'zero', 'exempt', 'exports', 'abroad', 'reverse_charge'] as const
export type NationalGroup = (typeof NATIONAL_GROUPS)[number]

/** A box: the groups that it adds up, and what it takes from each sale. */
type NationalBox = {
  box: string
  name: string
  groups: readonly NationalGroup[]
  takes: 'net' | 'tax'
  /** Rates in millionths. Left out: every rate. */
  rates?: readonly number[]
}

/** The return of a country. `others` are boxes that sales do not determine: they are null. */
export type NationalForm = {
  form: string
  /** Minor units that the form cuts off. */
  unit: number
  boxes: readonly NationalBox[]
  others: readonly { box: string; name: string; why: string }[]
  notes: readonly string[]
}

function net(
  box: string,
  name: string,
  groups: readonly NationalGroup[],
  rates?: readonly number[],
): NationalBox {
  return { box, name, groups, takes: 'net', ...(rates !== undefined && { rates }) }
}

function tax(box: string, name: string, rates?: readonly number[]): NationalBox {
  return { box, name, groups: ['taxed'], takes: 'tax', ...(rates !== undefined && { rates }) }
}

const PURCHASES = 'Needs your purchases, which this service does not know'
const OTHER_BOXES = 'Needs boxes that sales do not determine'

const unknown = (why: string, boxes: Readonly<Record<string, string>>) =>
  Object.entries(boxes).map(([box, name]) => ({ box, name, why }))

const SWISS: NationalForm = {
  form: 'MWST-Abrechnung, effektive Methode (MWSTG art. 71)',
  unit: 1,
  boxes: [
    net('200', 'Total der Entgelte', ['taxed', 'zero', 'exempt', 'exports', 'abroad']),
    net('220', 'Von der Steuer befreite Leistungen (Exporte)', ['exports', 'zero']),
    net('221', 'Leistungen im Ausland', ['abroad']),
    net('230', 'Von der Steuer ausgenommene Leistungen', ['exempt']),
    net('299', 'Steuerbarer Gesamtumsatz', ['taxed']),
    net('302', 'Leistungen zum Normalsatz 7,7 %', ['taxed'], [77_000]),
    net('303', 'Leistungen zum Normalsatz 8,1 %', ['taxed'], [81_000]),
    net('312', 'Leistungen zum reduzierten Satz 2,5 %', ['taxed'], [25_000]),
    net('313', 'Leistungen zum reduzierten Satz 2,6 %', ['taxed'], [26_000]),
    net('342', 'Beherbergung zum Satz 3,7 %', ['taxed'], [37_000]),
    net('343', 'Beherbergung zum Satz 3,8 %', ['taxed'], [38_000]),
    tax('399', 'Total geschuldete Steuer, ohne Bezugsteuer'),
  ],
  others: unknown(PURCHASES, {
    225: 'Übertragungen im Meldeverfahren',
    235: 'Entgeltsminderungen: refunds reduce the sales here',
    383: 'Bezugsteuer 8,1 %',
    400: 'Vorsteuer auf Material- und Dienstleistungsaufwand',
    405: 'Vorsteuer auf Investitionen und übrigem Betriebsaufwand',
  }),
  notes: [
    'Liechtenstein has the same tax: a sale there is on this return if you have no registration there',
    'Box 299 leaves out what boxes 225 and 235 may reduce',
  ],
}

/** Returns under a scheme for sellers abroad: what consumers buy, and the tax on it. */
function simplified(form: string, notes: readonly string[] = []): NationalForm {
  const boxes = [net('supplies', 'Supplies to consumers', ['taxed']), tax('tax', 'Tax on them')]
  return { form, unit: 1, boxes, others: [], notes: [GROUPS, ...notes] }
}

const GROUPS = 'The facts in the data name no numbers of boxes: these are groups of sales'

/**
 * The main returns of countries outside the Union. Their boxes are general knowledge of the form, not read
 * from the office on a day: data/countries of the specification marks them `known`.
 */
export const NATIONAL_FORMS: ReadonlyMap<string, NationalForm> = new Map<string, NationalForm>(
  Object.entries({
    CH: SWISS,
    LI: SWISS,
    NO: {
      form: 'Skattemelding for merverdiavgift (mval.)',
      unit: 1,
      boxes: [
        net('3 grunnlag', 'Salg, høy sats 25 %', ['taxed'], [250_000]),
        tax('3 avgift', 'Avgift, høy sats 25 %', [250_000]),
        net('31 grunnlag', 'Salg, middels sats 15 %', ['taxed'], [150_000]),
        tax('31 avgift', 'Avgift, middels sats 15 %', [150_000]),
        net('33 grunnlag', 'Salg, lav sats', ['taxed'], [120_000, 100_000, 60_000]),
        tax('33 avgift', 'Avgift, lav sats', [120_000, 100_000, 60_000]),
        net('5', 'Innenlands omsetning fritatt for merverdiavgift', ['zero']),
        net('52', 'Utførsel av varer og tjenester', ['exports']),
        net('6', 'Omsetning utenfor merverdiavgiftsloven', ['exempt', 'abroad']),
      ],
      others: unknown('Sales alone do not determine it', {
        32: 'Råfisk: its rate is not in the data',
        51: 'Innenlands omsetning med omvendt avgiftsplikt',
        '81-85': 'Innførsel av varer',
        '86-89': 'Tjenester kjøpt fra utlandet',
        '1, 11-13': 'Fradrag for inngående avgift',
      }),
      notes: [],
    },
    SG: {
      form: 'GST F5 (GST Act 1993)',
      unit: 1,
      boxes: [
        net('1', 'Total value of standard-rated supplies', ['taxed']),
        net('2', 'Total value of zero-rated supplies', ['zero', 'exports']),
        net('3', 'Total value of exempt supplies', ['exempt']),
        net('4', 'Total value of boxes 1, 2 and 3', ['taxed', 'zero', 'exports', 'exempt']),
        tax('6', 'Output tax due'),
      ],
      others: unknown(PURCHASES, {
        5: 'Total value of taxable purchases',
        7: 'Input tax and refunds claimed',
        8: 'Net GST to be paid or claimed',
      }),
      notes: [],
    },
    AE: {
      form: 'VAT 201 (Federal Decree-Law 8/2017)',
      unit: 1,
      boxes: [
        net('1', 'Standard-rated supplies', ['taxed']),
        tax('1 VAT', 'VAT on standard-rated supplies'),
        net('4', 'Zero-rated supplies', ['zero', 'exports']),
        net('5', 'Exempt supplies', ['exempt']),
      ],
      others: [
        ...unknown(PURCHASES, {
          2: 'Tax refunds provided to tourists',
          3: 'Supplies subject to the reverse charge',
          6: 'Goods imported into the UAE',
          7: 'Adjustments to goods imported into the UAE',
        }),
        ...unknown(OTHER_BOXES, { 8: 'Totals' }),
      ],
      notes: [
        'The form splits box 1 into 1a to 1g, by emirate: the lines of the figure name the region of the ' +
          'customer',
      ],
    },
    SA: {
      form: 'VAT return (VAT Law M/113)',
      unit: 1,
      boxes: [
        net('1', 'Standard-rated sales', ['taxed']),
        tax('1 VAT', 'VAT on standard-rated sales'),
        net('3', 'Zero-rated domestic sales', ['zero']),
        net('4', 'Exports', ['exports']),
        net('5', 'Exempt sales', ['exempt']),
        net('6', 'Total sales, without box 2', ['taxed', 'zero', 'exports', 'exempt']),
      ],
      others: [
        ...unknown('Sales alone do not determine it', {
          2: 'Private healthcare, private education and first houses sold to citizens',
        }),
        ...unknown(PURCHASES, { '7-12': 'Purchases and imports' }),
      ],
      notes: [],
    },
    KR: {
      form: '일반과세자 부가가치세 신고서 (VAT Act)',
      unit: 1,
      boxes: [
        net('taxed', 'Taxed sales', ['taxed']),
        tax('tax', 'Tax on them'),
        net('zero', 'Zero-rated sales and exports', ['zero', 'exports']),
        net('exempt', 'Exempt sales', ['exempt']),
      ],
      others: [],
      notes: [GROUPS, 'The form splits taxed sales by tax invoice, card and other: that is not in the data'],
    },
    JP: {
      form: '消費税及び地方消費税の申告書, 一般用 (Consumption Tax Act)',
      unit: 1_000,
      boxes: [
        net('base 10 %', 'Base at 10 % (7.8 % and 2.2 %)', ['taxed'], [100_000]),
        tax('tax 10 %', 'National and local tax at 10 %', [100_000]),
        net('base 8 %', 'Base at 8 % (6.24 % and 1.76 %)', ['taxed'], [80_000]),
        tax('tax 8 %', 'National and local tax at 8 %', [80_000]),
        net('zero', 'Exports and other zero-rated sales', ['zero', 'exports']),
        net('exempt', 'Exempt sales', ['exempt']),
      ],
      others: unknown(PURCHASES, {
        national: 'National tax to pay, down to ¥100',
        local: 'Local tax to pay: 22/78 of the national tax, down to ¥100',
      }),
      notes: [GROUPS, 'The form cuts a base down to ¥1,000'],
    },
    IN: {
      form: 'GSTR-5A (CGST Rules, rule 64)',
      unit: 1,
      boxes: [
        net('5', 'Taxable value of supplies to unregistered recipients', ['taxed']),
        tax('5 IGST', 'Integrated tax on them'),
        net('5B', 'Supplies to registered persons', ['reverse_charge']),
      ],
      others: unknown('Sales alone do not determine it', {
        '5A': 'Amendments of earlier periods: refunds reduce the supplies here',
        6: 'Interest',
        7: 'Tax paid',
      }),
      notes: ['The form splits box 5 by state: the lines of the figure name the region of the customer'],
    },
  }),
)

/** The returns under a scheme, in place of the main one, if the seller holds it alone. */
export const SCHEME_FORMS: ReadonlyMap<string, { scheme: string; form: NationalForm }> = new Map(
  Object.entries({
    NO: {
      scheme: 'no_voec',
      form: simplified('Quarterly VOEC declaration', ['A nil declaration is due, too']),
    },
    KR: {
      scheme: 'kr_simplified',
      form: simplified('Return of a simplified electronic-service business'),
    },
  }),
)
