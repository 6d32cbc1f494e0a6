type Day = `${number}-${number}-${number}`

/** The law of a country of which only digital services of sellers abroad are covered. */
export type CountryLaw = {
  name: string
  /** The act of all sections below. */
  act: string
  /** The first day on which a seller abroad charges, and the section. */
  since: Day
  section: string
  /** The section by which a business accounts for the tax itself; null: it is charged like a consumer. */
  business: { section: string } | null
  /** Businesses are charged, but some are exempt: the first day, and a note on it. Left out: none is. */
  everybody?: { since: Day; note: string }
  /** The sales for which a marketplace accounts; null: the law on marketplaces is not on file. */
  marketplace: readonly CountryMarketplace[] | null
  /** What the act calls the tax. Left out: VAT. */
  tax?: 'GST'
  /** The tax of a rate is rounded once on an invoice, unless the request says otherwise. */
  rounding?: 'document'
  /** The smallest tax in its currency. Left out: a minor unit. */
  tax_unit?: { currency: string; minor_units: number }
  /** The goods that are covered too. Left out: none. */
  goods?: {
    words: string
    imports: {
      low_value: { since: Day; section: string }
      by_seller: string
      consumer: string
      business: string
    }
  }
  /** `choice`: a seller registers if it wants to; `appointed`: if the office names it. Left out: by duty. */
  registration?: 'choice' | 'appointed'
  /** What no page proves, as one sentence for people. Left out: nothing. */
  caveat?: string
}

type CountryMarketplace = {
  supplies: readonly string[]
  sellers: 'abroad'
  since: Day
  section: string
  /** A condition of the rule that no request states. */
  note?: string
}

/** Why no tax of a country or territory is computed. */
export type LeftOut = {
  /** One sentence for people, without a full stop. */
  why: string
  /** The country has no VAT, GST or sales tax, as of this day. Left out: it has one, or it is unknown. */
  no_such_tax?: Day
  /** Goods may be taxed: `no_such_tax` is said of services alone. */
  services_only?: true
  /** Who accounts for digital services of sellers abroad. Left out: the seller, or it is unknown. */
  collected_by?: 'payer' | 'recipient' | 'nobody'
}

/** Why a seller abroad surely charges nothing on a supply to a country without rates in the data. */
export type NotCharged = { no_such_tax?: true; collected_by?: 'payer' | 'recipient' }

/** A country of data/countries: its law, or why it has none here. */
export type Country =
  | { id: string; law: CountryLaw; left_out?: never }
  | { id: string; law?: never; left_out: LeftOut }
