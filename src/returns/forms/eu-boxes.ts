/**
 * The groups of sales that domestic VAT returns ask for. `taxed`: taxed in the state at a rate. `zero`: at
 * 0 % without an exemption by its kind. `exempt`: any other sale in the state without tax.
 * `intra_union_goods`: deliveries to businesses in other member states. `union_services`: services to
 * businesses in other member states, which account for the tax. `abroad`: other supplies outside the state.
 * `distance_sales`: taxed in another member state, by the one-stop shop or a registration there.
 */
const EU_GROUPS = [
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
type EuForm = {
  form: string
  source: string
  source_url: string
  /** Minor units that the form cuts off of an amount without tax. */
  unit: number
  /** The same of an amount of tax; left out: it takes all. */
  tax_unit?: number
  /** It rounds half a unit up, and cuts nothing off. */
  nearest?: true
  boxes: readonly EuBox[]
  purchases: readonly NamedBox[]
  /** It takes no negative amount: the lines for what lessens taxed sales. Left out: it takes them. */
  regularisation?: { base: NamedBox; tax: NamedBox; note: string }
  /** The office computes the tax itself, from whole units: the boxes that it does so for, and their sum. */
  computed?: { boxes: readonly (NamedBox & { of: string; rate: number })[]; sum: NamedBox & { with: string } }
}

/** What is filled in of a form. */
export type FormBoxes = Omit<EuForm, 'form' | 'source' | 'source_url'>

type NamedBox = { box: string; name: string }

type BoxDetails = Pick<EuBox, 'rates' | 'kind' | 'without_schemes'>

/** A box that takes the sales without tax. */
function net(box: string, name: string, groups: readonly EuGroup[], details: BoxDetails = {}): EuBox {
  return { box, name, groups, takes: 'net', ...details }
}

/** A box that takes the tax. */
function tax(box: string, name: string, groups: readonly EuGroup[], details: BoxDetails = {}): EuBox {
  return { box, name, groups, takes: 'tax', ...details }
}

const [TWENTY_ONE, TWENTY, NINETEEN, TEN, NINE, SEVEN] = [210_000, 200_000, 190_000, 100_000, 90_000, 70_000]

/**
 * The boxes of member states whose form is on file. The names are those of the forms, read from the sources
 * on 2026-11-22 and 2026-11-28; a test compares each box with sales of its kind.
 */
export const EU_FORMS: ReadonlyMap<string, EuForm> = new Map<string, EuForm>(
  Object.entries({
    DE: {
      form: 'Umsatzsteuer-Voranmeldung (USt 1 A)',
      source: 'ELSTER, help to the Umsatzsteuer-Voranmeldung',
      source_url: 'https://www.elster.de/elsterweb/helpGlobal?themaGlobal=help_ustva_2020',
      unit: 100,
      boxes: [
        net('81', 'Steuerpflichtige Umsätze zum Steuersatz von 19 %', ['taxed'], { rates: [NINETEEN] }),
        net('86', 'Steuerpflichtige Umsätze zum Steuersatz von 7 %', ['taxed'], { rates: [SEVEN] }),
        net('87', 'Steuerpflichtige Umsätze zum Steuersatz von 0 %', ['zero']),
        net('35', 'Steuerpflichtige Umsätze zu anderen Steuersätzen', ['taxed'], { rates: 'others' }),
        tax('36', 'Steuer zu anderen Steuersätzen', ['taxed'], { rates: 'others' }),
        net('41', 'Innergemeinschaftliche Lieferungen an Abnehmer mit USt-IdNr.', ['intra_union_goods']),
        net('43', 'Weitere steuerfreie Umsätze mit Vorsteuerabzug (Ausfuhrlieferungen)', ['exports']),
        net('48', 'Steuerfreie Umsätze ohne Vorsteuerabzug', ['exempt']),
        net('21', 'Nicht steuerbare sonstige Leistungen (§ 18b Satz 1 Nr. 2 UStG)', ['union_services']),
        net('45', 'Übrige nicht steuerbare Umsätze (Leistungsort nicht im Inland)', [
          'abroad',
          'distance_sales',
        ]),
      ],
      purchases: [
        { box: '89', name: 'Innergemeinschaftliche Erwerbe zum Steuersatz von 19 %' },
        { box: '46', name: 'Leistungen von Unternehmern im übrigen Gemeinschaftsgebiet (§ 13b UStG)' },
        { box: '66', name: 'Vorsteuerbeträge aus Rechnungen' },
        { box: '83', name: 'Verbleibende Umsatzsteuer-Vorauszahlung' },
      ],
      computed: {
        boxes: [
          { box: '81-tax', name: 'Steuer zu 81, aus vollen Euro gerechnet', of: '81', rate: NINETEEN },
          { box: '86-tax', name: 'Steuer zu 86, aus vollen Euro gerechnet', of: '86', rate: SEVEN },
        ],
        sum: { box: 'office-tax', name: 'Umsatzsteuer, wie das Amt sie rechnet', with: '36' },
      },
    },
    FR: {
      form: 'Déclaration 3310-CA3-SD',
      source:
        'Direction générale des finances publiques, form 3310-CA3-SD (CERFA 10963), as quoted on GitHub ' +
        '(odoo/odoo, addons/l10n_fr_account/data/tax_report_data.xml)',
      source_url:
        'https://www.impots.gouv.fr/formulaire/3310-ca3-sd/tva-et-taxes-assimilees-regime-du-reel-normal-mini-reel',
      unit: 100,
      tax_unit: 100,
      nearest: true,
      boxes: [
        net('A1', 'Ventes, prestations de services', ['taxed']),
        net('E1', 'Exportations hors UE', ['exports']),
        net('E2', 'Autres opérations non imposables', ['zero', 'exempt', 'union_services', 'abroad']),
        net('E3', 'Ventes à distance taxables dans un autre État membre – Ventes B to C', ['distance_sales']),
        net('F2', 'Livraisons intracommunautaires à destination d’une personne assujettie', [
          'intra_union_goods',
        ]),
        net('08', 'Taux normal 20 %, base hors taxe', ['taxed'], { rates: [TWENTY] }),
        tax('08-tax', 'Taux normal 20 %, taxe due', ['taxed'], { rates: [TWENTY] }),
        net('09', 'Taux réduit 5,5 %, base hors taxe', ['taxed'], { rates: [55_000] }),
        tax('09-tax', 'Taux réduit 5,5 %, taxe due', ['taxed'], { rates: [55_000] }),
        net('9B', 'Taux réduit 10 %, base hors taxe', ['taxed'], { rates: [TEN] }),
        tax('9B-tax', 'Taux réduit 10 %, taxe due', ['taxed'], { rates: [TEN] }),
        net(
          'other-rates',
          'Opérations imposables à un autre taux (lignes 10, 11 et T1 à T7), base',
          ['taxed'],
          { rates: 'others' },
        ),
        tax(
          'other-rates-tax',
          'Opérations imposables à un autre taux (lignes 10, 11 et T1 à T7), taxe due',
          ['taxed'],
          { rates: 'others' },
        ),
      ],
      purchases: [
        { box: 'B2', name: 'Acquisitions intracommunautaires' },
        { box: '19', name: 'TVA déductible, biens constituant des immobilisations' },
        { box: '20', name: 'TVA déductible, autres biens et services' },
      ],
      regularisation: {
        base: { box: 'F8', name: 'Régularisations (opérations imposables en diminution)' },
        tax: { box: '21', name: 'Autre TVA à déduire (opérations annulées ou réduites)' },
        note:
          'The form takes no negative amount: refunds and credit notes of a rate that exceed its sales are ' +
          'on the lines of regularisation, F8 without tax and 21 the tax',
      },
    },
    IE: {
      form: 'VAT3',
      source: 'Irish Revenue, How do you complete a VAT 3 return?',
      source_url:
        'https://www.revenue.ie/en/vat/accounting-for-vat/how-to-account-for-value-added-tax/completing-vat3-return.aspx',
      unit: 100,
      tax_unit: 100,
      boxes: [
        tax('T1', 'VAT on sales', ['taxed']),
        net('E1', 'Intra-EU supplies of goods', ['intra_union_goods']),
        net('ES1', 'Intra-EU supply of services', ['union_services']),
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
    NL: {
      form: 'Aangifte omzetbelasting',
      source:
        'Belastingdienst, aangifte omzetbelasting, as quoted on GitHub ' +
        '(odoo/odoo, addons/l10n_nl/data/account_tax_report_data.xml)',
      source_url: 'https://www.belastingdienst.nl/wps/wcm/connect/nl/btw/content/btw-aangifte-rubrieken',
      unit: 100,
      tax_unit: 100,
      boxes: [
        net('1a', 'Leveringen/diensten belast met hoog tarief', ['taxed'], { rates: [TWENTY_ONE] }),
        tax('1a-tax', 'Hoog tarief, omzetbelasting', ['taxed'], { rates: [TWENTY_ONE] }),
        net('1b', 'Leveringen/diensten belast met laag tarief', ['taxed'], { rates: [NINE] }),
        tax('1b-tax', 'Laag tarief, omzetbelasting', ['taxed'], { rates: [NINE] }),
        net('1c', 'Leveringen/diensten belast met overige tarieven, behalve 0%', ['taxed'], {
          rates: 'others',
        }),
        tax('1c-tax', 'Overige tarieven, omzetbelasting', ['taxed'], { rates: 'others' }),
        net('1e', 'Leveringen/diensten belast met 0% of niet bij u belast', ['zero']),
        net('3a', 'Leveringen naar landen buiten de EU (uitvoer)', ['exports']),
        net('3b', 'Leveringen naar of diensten in landen binnen de EU', [
          'intra_union_goods',
          'union_services',
        ]),
        net('3c', 'Installatie/afstandsverkopen binnen de EU', ['distance_sales'], {
          kind: 'goods',
          without_schemes: true,
        }),
      ],
      purchases: [
        { box: '2a', name: 'Leveringen/diensten waarbij de omzetbelasting naar u is verlegd' },
        { box: '4a', name: 'Leveringen/diensten uit landen buiten de EU' },
        { box: '4b', name: 'Leveringen/diensten uit landen binnen de EU' },
        { box: '5b', name: 'Voorbelasting' },
      ],
    },
  }),
)

/** The boxes of a state whose form is not on file: a base for each group, and the tax. */
export const PLAIN_FORM: FormBoxes = {
  unit: 1,
  boxes: [
    net('taxable', 'Taxable supplies in the state', ['taxed']),
    tax('tax', 'Tax on them', ['taxed']),
    net('zero', 'Supplies at 0 %', ['zero']),
    net('exempt', 'Exempt supplies', ['exempt']),
    net('exports', 'Exports of goods', ['exports']),
    net('intra_union_goods', 'Goods to businesses in other member states', ['intra_union_goods']),
    net('union_services', 'Services to businesses in other member states', ['union_services']),
    net('distance_sales', 'Sales taxed in other member states', ['distance_sales']),
    net('abroad', 'Other supplies outside the state', ['abroad']),
  ],
  purchases: [],
}
