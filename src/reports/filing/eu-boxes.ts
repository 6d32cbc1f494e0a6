/**
 * The groups of sales that domestic VAT returns ask for. `taxed`: taxed in the state at a rate. `zero`: at
 * 0 % without an exemption by its kind. `exempt`: any other sale in the state without tax.
 * `intra_union_goods`: deliveries to businesses in other member states. `union_services`: services to
 * businesses in other member states, which account for the tax. `abroad`: other supplies outside the state.
 * `distance_sales`: taxed in another member state, by the one-stop shop or a registration there.
 */
export const EU_GROUPS = [
  'taxed',
  'zero',
  'exempt',
  'exports',
  'intra_union_goods',
  'union_services',
  'distance_sales',
  'abroad',
] as const
export type EuGroup = (typeof EU_GROUPS)[number]

/** A box of a national form: the groups that it adds up, and what it takes from each sale. */
type EuBox = {
  box: string
  name: string
  groups: readonly EuGroup[]
  /** Rates in millionths; `others`: all rates that no other box of the form has. Left out: every rate. */
  rates?: readonly number[] | 'others'
  takes: 'net' | 'tax'
  /** Goods or services only. */
  kind?: 'goods' | 'services'
  /** One-stop-shop sales are left out, because that return declares them. */
  without_schemes?: true
}

/** The form of a member state. Boxes about purchases are null. */
export type EuForm = {
  form: string
  source: string
  source_url: string
  /** Minor units that the form cuts off. */
  unit: number
  boxes: readonly EuBox[]
  purchases: readonly { box: string; name: string }[]
}

const [TWENTY_ONE, TWENTY, NINETEEN, TEN, NINE, SEVEN] = [210_000, 200_000, 190_000, 100_000, 90_000, 70_000]

/**
 * The boxes of member states whose form is on file. The names are those of the forms, read from the sources
 * on 2026-11-22; a test compares each box with sales of its kind.
 */
export const EU_FORMS: ReadonlyMap<string, EuForm> = new Map<string, EuForm>([
  [
    'DE',
    {
      form: 'Umsatzsteuer-Voranmeldung (USt 1 A)',
      source: 'ELSTER, help to the Umsatzsteuer-Voranmeldung',
      source_url: 'https://www.elster.de/elsterweb/helpGlobal?themaGlobal=help_ustva_2020',
      unit: 100,
      boxes: [
        {
          box: '81',
          name: 'Steuerpflichtige Umsätze zum Steuersatz von 19 %',
          groups: ['taxed'],
          rates: [NINETEEN],
          takes: 'net',
        },
        {
          box: '86',
          name: 'Steuerpflichtige Umsätze zum Steuersatz von 7 %',
          groups: ['taxed'],
          rates: [SEVEN],
          takes: 'net',
        },
        {
          box: '87',
          name: 'Steuerpflichtige Umsätze zum Steuersatz von 0 %',
          groups: ['zero'],
          takes: 'net',
        },
        {
          box: '35',
          name: 'Steuerpflichtige Umsätze zu anderen Steuersätzen',
          groups: ['taxed'],
          rates: 'others',
          takes: 'net',
        },
        {
          box: '36',
          name: 'Steuer zu anderen Steuersätzen',
          groups: ['taxed'],
          rates: 'others',
          takes: 'tax',
        },
        {
          box: '41',
          name: 'Innergemeinschaftliche Lieferungen an Abnehmer mit USt-IdNr.',
          groups: ['intra_union_goods'],
          takes: 'net',
        },
        {
          box: '43',
          name: 'Weitere steuerfreie Umsätze mit Vorsteuerabzug (Ausfuhrlieferungen)',
          groups: ['exports'],
          takes: 'net',
        },
        { box: '48', name: 'Steuerfreie Umsätze ohne Vorsteuerabzug', groups: ['exempt'], takes: 'net' },
        {
          box: '21',
          name: 'Nicht steuerbare sonstige Leistungen (§ 18b Satz 1 Nr. 2 UStG)',
          groups: ['union_services'],
          takes: 'net',
        },
        {
          box: '45',
          name: 'Übrige nicht steuerbare Umsätze (Leistungsort nicht im Inland)',
          groups: ['abroad', 'distance_sales'],
          takes: 'net',
        },
      ],
      purchases: [
        { box: '89', name: 'Innergemeinschaftliche Erwerbe zum Steuersatz von 19 %' },
        { box: '46', name: 'Leistungen von Unternehmern im übrigen Gemeinschaftsgebiet (§ 13b UStG)' },
        { box: '66', name: 'Vorsteuerbeträge aus Rechnungen' },
        { box: '83', name: 'Verbleibende Umsatzsteuer-Vorauszahlung' },
      ],
    },
  ],
  [
    'FR',
    {
      form: 'Déclaration 3310-CA3-SD',
      source: 'Direction générale des finances publiques, form 3310-CA3-SD (CERFA 10963) and its notice',
      source_url:
        'https://www.impots.gouv.fr/formulaire/3310-ca3-sd/tva-et-taxes-assimilees-regime-du-reel-normal-mini-reel',
      // The form rounds to whole euros, up from 50 cents.
      unit: 1,
      boxes: [
        { box: 'A1', name: 'Ventes, prestations de services', groups: ['taxed'], takes: 'net' },
        { box: 'E1', name: 'Exportations hors UE', groups: ['exports'], takes: 'net' },
        {
          box: 'E2',
          name: 'Autres opérations non imposables',
          groups: ['zero', 'exempt', 'union_services', 'abroad'],
          takes: 'net',
        },
        {
          box: 'E3',
          name: 'Ventes à distance taxables dans un autre État membre – Ventes B to C',
          groups: ['distance_sales'],
          takes: 'net',
        },
        {
          box: 'F2',
          name: 'Livraisons intracommunautaires à destination d’une personne assujettie',
          groups: ['intra_union_goods'],
          takes: 'net',
        },
        {
          box: '08',
          name: 'Taux normal 20 %, base hors taxe',
          groups: ['taxed'],
          rates: [TWENTY],
          takes: 'net',
        },
        {
          box: '08-tax',
          name: 'Taux normal 20 %, taxe due',
          groups: ['taxed'],
          rates: [TWENTY],
          takes: 'tax',
        },
        {
          box: '09',
          name: 'Taux réduit 5,5 %, base hors taxe',
          groups: ['taxed'],
          rates: [55_000],
          takes: 'net',
        },
        {
          box: '09-tax',
          name: 'Taux réduit 5,5 %, taxe due',
          groups: ['taxed'],
          rates: [55_000],
          takes: 'tax',
        },
        {
          box: '9B',
          name: 'Taux réduit 10 %, base hors taxe',
          groups: ['taxed'],
          rates: [TEN],
          takes: 'net',
        },
        { box: '9B-tax', name: 'Taux réduit 10 %, taxe due', groups: ['taxed'], rates: [TEN], takes: 'tax' },
        {
          box: 'other-rates',
          name: 'Opérations imposables à un autre taux (lignes 10, 11 et T1 à T7), base',
          groups: ['taxed'],
          rates: 'others',
          takes: 'net',
        },
        {
          box: 'other-rates-tax',
          name: 'Opérations imposables à un autre taux (lignes 10, 11 et T1 à T7), taxe due',
          groups: ['taxed'],
          rates: 'others',
          takes: 'tax',
        },
      ],
      purchases: [
        { box: 'B2', name: 'Acquisitions intracommunautaires' },
        { box: '19', name: 'TVA déductible, biens constituant des immobilisations' },
        { box: '20', name: 'TVA déductible, autres biens et services' },
      ],
    },
  ],
  [
    'IE',
    {
      form: 'VAT3',
      source: 'Irish Revenue, How do you complete a VAT 3 return?',
      source_url:
        'https://www.revenue.ie/en/vat/accounting-for-vat/how-to-account-for-value-added-tax/completing-vat3-return.aspx',
      unit: 1,
      boxes: [
        { box: 'T1', name: 'VAT on sales', groups: ['taxed'], takes: 'tax' },
        { box: 'E1', name: 'Intra-EU supplies of goods', groups: ['intra_union_goods'], takes: 'net' },
        { box: 'ES1', name: 'Intra-EU supply of services', groups: ['union_services'], takes: 'net' },
      ],
      purchases: [
        { box: 'T2', name: 'VAT on purchases' },
        { box: 'T3', name: 'VAT payable' },
        { box: 'T4', name: 'VAT repayable' },
        { box: 'E2', name: 'Intra-EU acquisitions of goods' },
        { box: 'ES2', name: 'Intra-EU acquisition of services' },
        { box: 'PA1', name: 'Postponed accounting' },
      ],
    },
  ],
  [
    'NL',
    {
      form: 'Aangifte omzetbelasting',
      source: 'Belastingdienst, Toelichting bij de digitale aangifte omzetbelasting',
      source_url: 'https://www.belastingdienst.nl/wps/wcm/connect/nl/btw/content/btw-aangifte-rubrieken',
      unit: 100,
      boxes: [
        {
          box: '1a',
          name: 'Leveringen/diensten belast met hoog tarief',
          groups: ['taxed'],
          rates: [TWENTY_ONE],
          takes: 'net',
        },
        {
          box: '1a-tax',
          name: 'Hoog tarief, omzetbelasting',
          groups: ['taxed'],
          rates: [TWENTY_ONE],
          takes: 'tax',
        },
        {
          box: '1b',
          name: 'Leveringen/diensten belast met laag tarief',
          groups: ['taxed'],
          rates: [NINE],
          takes: 'net',
        },
        {
          box: '1b-tax',
          name: 'Laag tarief, omzetbelasting',
          groups: ['taxed'],
          rates: [NINE],
          takes: 'tax',
        },
        {
          box: '1c',
          name: 'Leveringen/diensten belast met overige tarieven, behalve 0%',
          groups: ['taxed'],
          rates: 'others',
          takes: 'net',
        },
        {
          box: '1c-tax',
          name: 'Overige tarieven, omzetbelasting',
          groups: ['taxed'],
          rates: 'others',
          takes: 'tax',
        },
        {
          box: '1e',
          name: 'Leveringen/diensten belast met 0% of niet bij u belast',
          groups: ['zero'],
          takes: 'net',
        },
        {
          box: '3a',
          name: 'Leveringen naar landen buiten de EU (uitvoer)',
          groups: ['exports'],
          takes: 'net',
        },
        {
          box: '3b',
          name: 'Leveringen naar of diensten in landen binnen de EU',
          groups: ['intra_union_goods', 'union_services'],
          takes: 'net',
        },
        {
          box: '3c',
          name: 'Installatie/afstandsverkopen binnen de EU',
          groups: ['distance_sales'],
          kind: 'goods',
          without_schemes: true,
          takes: 'net',
        },
      ],
      purchases: [
        { box: '2a', name: 'Leveringen/diensten waarbij de omzetbelasting naar u is verlegd' },
        { box: '4a', name: 'Leveringen/diensten uit landen buiten de EU' },
        { box: '4b', name: 'Leveringen/diensten uit landen binnen de EU' },
        { box: '5b', name: 'Voorbelasting' },
      ],
    },
  ],
])

/** The boxes of a state whose form is not on file: a base for each group, and the tax. */
export const PLAIN_FORM: Pick<EuForm, 'boxes' | 'purchases' | 'unit'> = {
  unit: 1,
  boxes: [
    { box: 'taxable', name: 'Taxable supplies in the state', groups: ['taxed'], takes: 'net' },
    { box: 'tax', name: 'Tax on them', groups: ['taxed'], takes: 'tax' },
    { box: 'zero', name: 'Supplies at 0 %', groups: ['zero'], takes: 'net' },
    { box: 'exempt', name: 'Exempt supplies', groups: ['exempt'], takes: 'net' },
    { box: 'exports', name: 'Exports of goods', groups: ['exports'], takes: 'net' },
    {
      box: 'intra_union_goods',
      name: 'Goods to businesses in other member states',
      groups: ['intra_union_goods'],
      takes: 'net',
    },
    {
      box: 'union_services',
      name: 'Services to businesses in other member states',
      groups: ['union_services'],
      takes: 'net',
    },
    {
      box: 'distance_sales',
      name: 'Sales taxed in other member states',
      groups: ['distance_sales'],
      takes: 'net',
    },
    { box: 'abroad', name: 'Other supplies outside the state', groups: ['abroad'], takes: 'net' },
  ],
  purchases: [],
}
