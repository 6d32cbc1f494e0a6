/**
 * Kinds of supply that the place-of-supply rules distinguish. digital: electronically supplied services
 * (Directive 2006/112/EC, art. 58 and annex II); on_site: taxed where it takes place; property: a service
 * connected with land, taxed where the land is (art. 47); performed: a service that consumers buy where it is
 * physically carried out (art. 54).
 */
export const SUPPLY_KINDS = [
  'goods',
  'digital',
  'service',
  'on_site',
  'property',
  'performed',
  'shipping',
] as const
export type SupplyKind = (typeof SUPPLY_KINDS)[number]

export type ProductType = {
  id: string
  name: string
  kind: SupplyKind
  /** The type that contains this one: its rule is used, with a note, if a place has none for this one. */
  part_of?: string
  /** Laws that favour the whole leave out this part: no reduced or free rule of the whole is taken for it. */
  apart_if_favoured?: true
  /** The whole is said to be without it, or it is no kind of the whole: a line of the whole is none of it. */
  left_out?: true
  /** A similar type: its rule is used, with a note, if it taxes. A default never frees from tax. */
  like?: string
  /**
   * A service of Directive 2006/112/EC, art. 59, or VATA 1994, sch. 4A para. 16: a consumer abroad buys it at
   * its own place. Any other service stays at the place of the seller.
   */
  intangible?: true
}

export const PRODUCT_TYPES = [
  { id: 'physical_goods', name: 'Physical goods', kind: 'goods' },
  { id: 'clothing', name: 'Clothing', kind: 'goods' },
  { id: 'groceries', name: 'Groceries', kind: 'goods' },
  { id: 'books', name: 'Books', kind: 'goods' },
  { id: 'newspapers', name: 'Newspapers', kind: 'goods' },
  { id: 'prescription_drugs', name: 'Prescription drugs', kind: 'goods' },
  { id: 'otc_drugs', name: 'Over-the-counter drugs', kind: 'goods' },
  { id: 'medical_devices', name: 'Medical devices', kind: 'goods' },
  { id: 'saas', name: 'Software as a service', kind: 'digital' },
  { id: 'digital_goods', name: 'Digital goods', kind: 'digital' },
  { id: 'ebooks', name: 'E-books', kind: 'digital' },
  { id: 'streaming', name: 'Streaming', kind: 'digital' },
  { id: 'software_download', name: 'Software download', kind: 'digital' },
  { id: 'professional_services', name: 'Professional services', kind: 'service', intangible: true },
  { id: 'event_admission', name: 'Event admission', kind: 'on_site' },
  { id: 'accommodation', name: 'Accommodation', kind: 'on_site' },
  { id: 'passenger_transport', name: 'Passenger transport', kind: 'on_site' },
  { id: 'prepared_food', name: 'Prepared food', kind: 'on_site' },
  { id: 'shipping', name: 'Shipping', kind: 'shipping' },
  { id: 'shipping_and_handling', name: 'Shipping and handling', kind: 'shipping' },
  // Types that some laws split from the types above.
  { id: 'children_clothing', name: 'Children’s clothing', kind: 'goods', part_of: 'clothing' },
  { id: 'basic_food', name: 'Basic food', kind: 'goods', part_of: 'groceries' },
  { id: 'luxury_food', name: 'Luxury food', kind: 'goods', part_of: 'groceries' },
  { id: 'candy', name: 'Candy', kind: 'goods', part_of: 'groceries', left_out: true },
  { id: 'snacks', name: 'Snacks', kind: 'goods', part_of: 'groceries', left_out: true },
  { id: 'soft_drinks', name: 'Soft drinks', kind: 'goods', like: 'physical_goods' },
  { id: 'bicycles', name: 'Bicycles', kind: 'goods', like: 'physical_goods' },
  { id: 'sanitary_products', name: 'Sanitary products', kind: 'goods', like: 'physical_goods' },
  { id: 'school_supplies', name: 'School supplies', kind: 'goods', like: 'physical_goods' },
  { id: 'computers', name: 'Computers', kind: 'goods', like: 'physical_goods' },
  { id: 'e_periodicals', name: 'Electronic periodicals', kind: 'digital', like: 'ebooks' },
  { id: 'infrastructure_services', name: 'Infrastructure as a service', kind: 'digital', part_of: 'saas' },
  { id: 'platform_services', name: 'Platform as a service', kind: 'digital', part_of: 'saas' },
  { id: 'recorded_training', name: 'Recorded training', kind: 'digital', part_of: 'digital_goods' },
  { id: 'live_training', name: 'Live training', kind: 'performed' },
  { id: 'installation_repair', name: 'Installation and repair', kind: 'performed' },
  {
    id: 'accounting_services',
    name: 'Accounting services',
    kind: 'service',
    part_of: 'professional_services',
    intangible: true,
  },
  {
    id: 'engineering_services',
    name: 'Architectural and engineering services',
    kind: 'service',
    part_of: 'professional_services',
    intangible: true,
  },
  {
    id: 'legal_services',
    name: 'Legal services',
    kind: 'service',
    part_of: 'professional_services',
    intangible: true,
  },
  { id: 'real_estate_services', name: 'Commercial real estate services', kind: 'property' },
  { id: 'security_services', name: 'Security services', kind: 'performed' },
  {
    id: 'intermediary_commission',
    name: 'Intermediary’s commission',
    kind: 'performed',
    like: 'professional_services',
  },
  { id: 'air_transport', name: 'Air transport', kind: 'on_site', part_of: 'passenger_transport' },
  { id: 'ground_transport', name: 'Ground transport', kind: 'on_site', part_of: 'passenger_transport' },
  // Types that are free, or have a rate of their own, in some places.
  { id: 'cultural_event', name: 'Cultural event', kind: 'on_site', part_of: 'event_admission' },
  { id: 'sports_event', name: 'Sports event', kind: 'on_site', part_of: 'event_admission' },
  { id: 'conference', name: 'Conference', kind: 'on_site', like: 'event_admission' },
  { id: 'takeaway_food', name: 'Takeaway food', kind: 'on_site', part_of: 'prepared_food' },
  {
    id: 'restaurant_drinks',
    name: 'Restaurant drinks',
    kind: 'on_site',
    part_of: 'prepared_food',
    apart_if_favoured: true,
  },
  { id: 'camping', name: 'Camping', kind: 'on_site', part_of: 'accommodation' },
  { id: 'concert', name: 'Concert or theatre', kind: 'on_site', part_of: 'cultural_event' },
  { id: 'magazines', name: 'Magazines', kind: 'goods', part_of: 'newspapers' },
  { id: 'digital_newspapers', name: 'Digital newspapers', kind: 'digital', part_of: 'e_periodicals' },
  { id: 'alcohol', name: 'Alcoholic drinks', kind: 'goods', like: 'physical_goods' },
  { id: 'tobacco', name: 'Tobacco', kind: 'goods', like: 'physical_goods' },
  { id: 'pet_food', name: 'Pet food', kind: 'goods', like: 'physical_goods' },
  { id: 'dietary_supplements', name: 'Dietary supplements', kind: 'goods', like: 'physical_goods' },
  { id: 'baby_food', name: 'Baby food', kind: 'goods', part_of: 'groceries' },
  { id: 'diapers', name: 'Diapers', kind: 'goods', like: 'physical_goods' },
  { id: 'audiobooks', name: 'Audiobooks', kind: 'digital', like: 'digital_goods' },
  { id: 'telecommunications', name: 'Telecommunications', kind: 'digital' },
  { id: 'broadcasting', name: 'Broadcasting', kind: 'digital', like: 'streaming' },
  { id: 'vehicle_hire', name: 'Vehicle hire', kind: 'on_site' },
  { id: 'equipment_hire', name: 'Equipment hire', kind: 'service', intangible: true },
  { id: 'parking', name: 'Parking', kind: 'on_site' },
  { id: 'gym', name: 'Gym and sport facilities', kind: 'on_site' },
  { id: 'education', name: 'Education', kind: 'performed' },
  { id: 'health_services', name: 'Health services', kind: 'service' },
  { id: 'insurance', name: 'Insurance', kind: 'service', intangible: true },
  { id: 'financial_services', name: 'Financial services', kind: 'service', intangible: true },
  { id: 'service_charge', name: 'Service charge', kind: 'on_site', part_of: 'prepared_food', left_out: true },
  { id: 'bottle_deposit', name: 'Bottle deposit', kind: 'goods', like: 'physical_goods' },
  { id: 'gift_card', name: 'Gift card', kind: 'service' },
] as const satisfies readonly ProductType[]

export const PRODUCT_TYPE_IDS = PRODUCT_TYPES.map(({ id }) => id)
export type ProductTypeName = (typeof PRODUCT_TYPES)[number]['id']

const VOUCHER: ProductTypeName = 'gift_card'

/** Whether a product is a voucher for several kinds of supply. */
export function isVoucher(product_type: string): boolean {
  return product_type === VOUCHER
}

/** Why money on a sale pays for no supply, as the request says. */
export const SUPPLY_REASONS = ['late_fee', 'damages', 'donation', 'tip', 'other'] as const
export type SupplyReason = (typeof SUPPLY_REASONS)[number]

const DEPOSIT: ProductTypeName = 'bottle_deposit'
const NO_SUPPLY = 'no_supply_'

/** What the engine calls a line that is no supply: a product of its own, for which no place has a rule. */
export function productOfNoSupply(reason: SupplyReason): string {
  return NO_SUPPLY + reason
}

/** Why a line of such a product is no supply; null: it is a supply. */
export function reasonOfNoSupply(product_type: string): SupplyReason | null {
  return SUPPLY_REASONS.find((reason) => product_type === productOfNoSupply(reason)) ?? null
}

const ARRANGED: ProductTypeName = 'intermediary_commission'

/** Whether a product is the commission of an intermediary, for a sale that it arranges. */
export function isArranged(product_type: string): boolean {
  return product_type === ARRANGED
}

/** What the steps of a calculation ask of a product type. */
export type ProductNature = {
  readonly kind: SupplyKind
  readonly voucher: boolean
  /** It is no supply, so no place taxes it. */
  readonly no_supply: boolean
  /** A deposit on the container of a drink. */
  readonly deposit: boolean
  /** Consumers abroad buy the service at their own place: Directive 2006/112/EC, art. 59. */
  readonly intangible: boolean
  /** Shipping follows it: goods, and meals that are delivered (CJEU C-349/96). */
  readonly shipped: boolean
}

type KnownType = ProductNature & { name: string; part_of: string | null; like: string | null; apart: boolean }

/** All of one shape, because V8 reads them faster then. */
const BY_ID: ReadonlyMap<string, KnownType> = new Map(
  [...PRODUCT_TYPES, ...SUPPLY_REASONS.map(typeOfNoSupply)].map((type: ProductType): [string, KnownType] => {
    const { id, name, kind, intangible = false, part_of = null, like = null, apart_if_favoured } = type
    const shipped = kind === 'goods' || id === 'prepared_food' || part_of === 'prepared_food'
    const apart = apart_if_favoured === true
    const no_supply = id.startsWith(NO_SUPPLY)
    const deposit = id === DEPOSIT
    return [
      id,
      { kind, voucher: isVoucher(id), no_supply, deposit, intangible, shipped, name, part_of, like, apart },
    ]
  }),
)

/** Nobody sends it, so it counts as no goods. */
function typeOfNoSupply(reason: SupplyReason): ProductType {
  const name = `No supply: ${reason.replaceAll('_', ' ')}`
  return { id: productOfNoSupply(reason), name, kind: 'service', intangible: true }
}

/** `saas` as `Software as a service`; an unknown type with spaces. */
export function productInWords(product_type: string): string {
  return BY_ID.get(product_type)?.name ?? product_type.replaceAll('_', ' ')
}

/** The same within a sentence: `software as a service`. */
export function productInSentence(product_type: string): string {
  const name = productInWords(product_type)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** The kind of supply of a product type, or undefined if there is no such type. */
export function supplyKind(product_type: string): SupplyKind | undefined {
  return BY_ID.get(product_type)?.kind
}

/** Whether a product type is another one or a part of it. */
export function isWithin(product_type: string, broad: string): boolean {
  return product_type === broad || BY_ID.get(product_type)?.part_of === broad
}

/** What a product type says of its products, or undefined if there is no such type. */
export function natureOf(product_type: string): ProductNature | undefined {
  return BY_ID.get(product_type)
}

/** The type whose rule is used if a place has no rule for this one, and whether it may free or lower tax. */
export function broaderType(product_type: string): BroaderType | null {
  return BROADER.get(product_type) ?? null
}

/** The widest of the types that contain this one or are like it: event admission for a concert. */
export function widestType(product_type: string): string {
  const broader = broaderType(product_type)
  return broader === null ? product_type : widestType(broader.id)
}

type BroaderType = { id: string; frees: boolean; lowers: boolean }

/** Made once: V8 would forget the shape of objects that each call makes, with the code that reads them. */
const BROADER: ReadonlyMap<string, BroaderType> = new Map(
  [...BY_ID].flatMap(([id, { part_of, like, apart }]): [string, BroaderType][] => {
    if (part_of !== null) return [[id, { id: part_of, frees: !apart, lowers: !apart }]]
    return like === null ? [] : [[id, { id: like, frees: false, lowers: true }]]
  }),
)
