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
  description: string
  /** The type that contains this one: its rule is used, with a note, if a place has none for this one. */
  part_of?: string
  /** Laws that favour the whole leave out this part: no reduced or free rule of the whole is taken for it. */
  apart_if_favoured?: true
  /** A similar type: its rule is used, with a note, if it taxes. A default never frees from tax. */
  like?: string
  /**
   * A service of Directive 2006/112/EC, art. 59, or VATA 1994, sch. 4A para. 16: a consumer abroad buys it at
   * its own place. Any other service stays at the place of the seller.
   */
  intangible?: true
}

export const PRODUCT_TYPES = [
  {
    id: 'physical_goods',
    name: 'Physical goods',
    kind: 'goods',
    description: 'Tangible goods without a rule of their own',
  },
  { id: 'clothing', name: 'Clothing', kind: 'goods', description: 'Clothing and footwear for everyday use' },
  {
    id: 'groceries',
    name: 'Groceries',
    kind: 'goods',
    description: 'Food for home consumption, without sweets, snacks and soft drinks',
  },
  { id: 'books', name: 'Books', kind: 'goods', description: 'Printed books' },
  { id: 'newspapers', name: 'Newspapers', kind: 'goods', description: 'Printed newspapers and periodicals' },
  {
    id: 'prescription_drugs',
    name: 'Prescription drugs',
    kind: 'goods',
    description: 'Medicines sold on prescription',
  },
  {
    id: 'otc_drugs',
    name: 'Over-the-counter drugs',
    kind: 'goods',
    description: 'Medicines sold without prescription',
  },
  {
    id: 'medical_devices',
    name: 'Medical devices',
    kind: 'goods',
    description: 'Prosthetics, aids for disabled persons and similar devices',
  },
  {
    id: 'saas',
    name: 'Software as a service',
    kind: 'digital',
    description: 'Software used over the network',
  },
  {
    id: 'digital_goods',
    name: 'Digital goods',
    kind: 'digital',
    description: 'Downloads such as music, images, courses on demand',
  },
  { id: 'ebooks', name: 'E-books', kind: 'digital', description: 'Books supplied electronically' },
  { id: 'streaming', name: 'Streaming', kind: 'digital', description: 'Audio and video streams' },
  {
    id: 'software_download',
    name: 'Software download',
    kind: 'digital',
    description: 'Standard software, delivered electronically',
  },
  {
    id: 'professional_services',
    name: 'Professional services',
    kind: 'service',
    description: 'Consulting, legal, accounting, design and similar services',
    intangible: true,
  },
  {
    id: 'event_admission',
    name: 'Event admission',
    kind: 'on_site',
    description: 'Tickets to events that are attended in person',
  },
  { id: 'accommodation', name: 'Accommodation', kind: 'on_site', description: 'Hotel and holiday lodging' },
  {
    id: 'passenger_transport',
    name: 'Passenger transport',
    kind: 'on_site',
    description: 'Carriage of persons',
  },
  {
    id: 'prepared_food',
    name: 'Prepared food',
    kind: 'on_site',
    description: 'Restaurant meals and catering',
  },
  { id: 'shipping', name: 'Shipping', kind: 'shipping', description: 'Delivery of goods, stated separately' },
  {
    id: 'shipping_and_handling',
    name: 'Shipping and handling',
    kind: 'shipping',
    description: 'Delivery and handling in one charge',
  },
  // Types that some laws split from the types above.
  {
    id: 'children_clothing',
    name: 'Children’s clothing',
    kind: 'goods',
    description: 'Clothing and footwear for children',
    part_of: 'clothing',
  },
  {
    id: 'basic_food',
    name: 'Basic food',
    kind: 'goods',
    description: 'Staples such as bread, milk, eggs, fruit and vegetables',
    part_of: 'groceries',
  },
  {
    id: 'luxury_food',
    name: 'Luxury food',
    kind: 'goods',
    description: 'Food that a law names as a luxury, such as caviar or lobster',
    like: 'physical_goods',
  },
  {
    id: 'candy',
    name: 'Candy',
    kind: 'goods',
    description: 'Sweets, chocolate and chewing gum',
    like: 'physical_goods',
  },
  {
    id: 'snacks',
    name: 'Snacks',
    kind: 'goods',
    description: 'Crisps, salted nuts and similar snacks',
    like: 'physical_goods',
  },
  {
    id: 'soft_drinks',
    name: 'Soft drinks',
    kind: 'goods',
    description: 'Sweetened drinks without alcohol',
    like: 'physical_goods',
  },
  {
    id: 'bicycles',
    name: 'Bicycles',
    kind: 'goods',
    description: 'Bicycles with and without a motor',
    like: 'physical_goods',
  },
  {
    id: 'sanitary_products',
    name: 'Sanitary products',
    kind: 'goods',
    description: 'Tampons, sanitary towels and similar products',
    like: 'physical_goods',
  },
  {
    id: 'school_supplies',
    name: 'School supplies',
    kind: 'goods',
    description: 'Pens, paper, notebooks and similar goods for school',
    like: 'physical_goods',
  },
  {
    id: 'computers',
    name: 'Computers',
    kind: 'goods',
    description: 'Personal computers, laptops and tablets',
    like: 'physical_goods',
  },
  {
    id: 'e_periodicals',
    name: 'Electronic periodicals',
    kind: 'digital',
    description: 'Newspapers and magazines supplied electronically',
    like: 'ebooks',
  },
  {
    id: 'infrastructure_services',
    name: 'Infrastructure as a service',
    kind: 'digital',
    description: 'Computing power, storage and networks over the network',
    part_of: 'saas',
  },
  {
    id: 'platform_services',
    name: 'Platform as a service',
    kind: 'digital',
    description: 'Databases, run-times and tools for developers over the network',
    part_of: 'saas',
  },
  {
    id: 'recorded_training',
    name: 'Recorded training',
    kind: 'digital',
    description: 'Courses on demand',
    part_of: 'digital_goods',
  },
  {
    id: 'live_training',
    name: 'Live training',
    kind: 'performed',
    description: 'Courses with a teacher, in a room or over the network',
  },
  {
    id: 'installation_repair',
    name: 'Installation and repair',
    kind: 'performed',
    description: 'Work on goods: installation, maintenance, repair',
  },
  {
    id: 'accounting_services',
    name: 'Accounting services',
    kind: 'service',
    description: 'Accounting, bookkeeping and tax returns',
    part_of: 'professional_services',
    intangible: true,
  },
  {
    id: 'engineering_services',
    name: 'Architectural and engineering services',
    kind: 'service',
    description: 'Architecture, engineering, geoscience',
    part_of: 'professional_services',
    intangible: true,
  },
  {
    id: 'legal_services',
    name: 'Legal services',
    kind: 'service',
    description: 'Services of lawyers and notaries',
    part_of: 'professional_services',
    intangible: true,
  },
  {
    id: 'real_estate_services',
    name: 'Commercial real estate services',
    kind: 'property',
    description: 'Agency and management for property that is not a home',
  },
  {
    id: 'security_services',
    name: 'Security services',
    kind: 'performed',
    description: 'Guards, alarm monitoring, investigation',
  },
  {
    id: 'intermediary_commission',
    name: 'Intermediary’s commission',
    kind: 'performed',
    description: 'For arranging a sale in the name of another; supply_address is where that sale is',
    like: 'professional_services',
  },
  {
    id: 'air_transport',
    name: 'Air transport',
    kind: 'on_site',
    description: 'Carriage of persons by air',
    part_of: 'passenger_transport',
  },
  {
    id: 'ground_transport',
    name: 'Ground transport',
    kind: 'on_site',
    description: 'Carriage of persons by road, rail or water',
    part_of: 'passenger_transport',
  },
  // Types that are free, or have a rate of their own, in some places.
  {
    id: 'cultural_event',
    name: 'Cultural event',
    kind: 'on_site',
    description: 'Tickets to theatre, concerts, museums and similar culture',
    part_of: 'event_admission',
  },
  {
    id: 'sports_event',
    name: 'Sports event',
    kind: 'on_site',
    description: 'Tickets to watch sports',
    part_of: 'event_admission',
  },
  {
    id: 'conference',
    name: 'Conference',
    kind: 'on_site',
    description: 'Entry to congresses, conferences and trade fairs',
    like: 'event_admission',
  },
  {
    id: 'takeaway_food',
    name: 'Takeaway food',
    kind: 'on_site',
    description: 'Meals that are taken away or delivered',
    part_of: 'prepared_food',
  },
  {
    id: 'restaurant_drinks',
    name: 'Restaurant drinks',
    kind: 'on_site',
    description: 'Drinks served in restaurants',
    part_of: 'prepared_food',
    apart_if_favoured: true,
  },
  {
    id: 'camping',
    name: 'Camping',
    kind: 'on_site',
    description: 'Pitches for tents and caravans',
    part_of: 'accommodation',
  },
  {
    id: 'concert',
    name: 'Concert or theatre',
    kind: 'on_site',
    description: 'Tickets to concerts and theatre',
    part_of: 'cultural_event',
  },
  {
    id: 'magazines',
    name: 'Magazines',
    kind: 'goods',
    description: 'Printed periodicals that are not newspapers',
    part_of: 'newspapers',
    apart_if_favoured: true,
  },
  {
    id: 'digital_newspapers',
    name: 'Digital newspapers',
    kind: 'digital',
    description: 'Newspapers supplied electronically',
    part_of: 'e_periodicals',
  },
  {
    id: 'alcohol',
    name: 'Alcoholic drinks',
    kind: 'goods',
    description: 'Beer, wine and spirits, without excise duty',
    like: 'physical_goods',
  },
  {
    id: 'tobacco',
    name: 'Tobacco',
    kind: 'goods',
    description: 'Cigarettes, other tobacco and vapour products, without excise duty',
    like: 'physical_goods',
  },
  {
    id: 'pet_food',
    name: 'Pet food',
    kind: 'goods',
    description: 'Food for pets',
    like: 'physical_goods',
  },
  {
    id: 'dietary_supplements',
    name: 'Dietary supplements',
    kind: 'goods',
    description: 'Vitamins, minerals and similar products',
    like: 'physical_goods',
  },
  {
    id: 'baby_food',
    name: 'Baby food',
    kind: 'goods',
    description: 'Food and formula for babies',
    part_of: 'groceries',
  },
  {
    id: 'diapers',
    name: 'Diapers',
    kind: 'goods',
    description: 'Diapers for children',
    like: 'physical_goods',
  },
  {
    id: 'audiobooks',
    name: 'Audiobooks',
    kind: 'digital',
    description: 'Books read aloud, supplied electronically',
    like: 'digital_goods',
  },
  {
    id: 'telecommunications',
    name: 'Telecommunications',
    kind: 'digital',
    description: 'Telephone, internet access and messages',
  },
  {
    id: 'broadcasting',
    name: 'Broadcasting',
    kind: 'digital',
    description: 'Radio and television at fixed times',
    like: 'streaming',
  },
  {
    id: 'vehicle_hire',
    name: 'Vehicle hire',
    kind: 'on_site',
    description: 'Cars and other vehicles for up to 30 days, handed over at supply_address',
  },
  {
    id: 'equipment_hire',
    name: 'Equipment hire',
    kind: 'service',
    intangible: true,
    description: 'Hire of goods other than vehicles',
  },
  {
    id: 'parking',
    name: 'Parking',
    kind: 'on_site',
    description: 'Places to park vehicles',
  },
  {
    id: 'gym',
    name: 'Gym and sport facilities',
    kind: 'on_site',
    description: 'Use of gyms, pools, courts and lanes',
  },
  {
    id: 'education',
    name: 'Education',
    kind: 'performed',
    description: 'Teaching by schools, universities and recognised bodies',
  },
  {
    id: 'health_services',
    name: 'Health services',
    kind: 'service',
    description: 'Care by doctors, hospitals and other recognised professions',
  },
  {
    id: 'insurance',
    name: 'Insurance',
    kind: 'service',
    intangible: true,
    description: 'Insurance premiums and their brokerage',
  },
  {
    id: 'financial_services',
    name: 'Financial services',
    kind: 'service',
    intangible: true,
    description: 'Payments, accounts, credit and securities',
  },
  {
    id: 'service_charge',
    name: 'Service charge',
    kind: 'on_site',
    description: 'What guests have to pay for service beside a meal; a voluntary tip is not part of a sale',
    part_of: 'prepared_food',
  },
  {
    id: 'bottle_deposit',
    name: 'Bottle deposit',
    kind: 'goods',
    description: 'A deposit on bottles and cans that is paid back for the empty container',
    like: 'physical_goods',
  },
  {
    id: 'gift_card',
    name: 'Gift card',
    kind: 'service',
    description: 'Vouchers for several kinds of supply, at the sale of the voucher',
  },
] as const satisfies readonly ProductType[]

export const PRODUCT_TYPE_IDS = PRODUCT_TYPES.map(({ id }) => id)
export type ProductTypeName = (typeof PRODUCT_TYPES)[number]['id']

const VOUCHER: ProductTypeName = 'gift_card'

/** Whether a product is a voucher for several kinds of supply. */
export function isVoucher(product_type: string): boolean {
  return product_type === VOUCHER
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
  /** Consumers abroad buy the service at their own place: Directive 2006/112/EC, art. 59. */
  readonly intangible: boolean
  /** Shipping follows it: goods, and meals that are delivered (CJEU C-349/96). */
  readonly shipped: boolean
}

type KnownType = ProductNature & { name: string; part_of: string | null; like: string | null; apart: boolean }

/** All of one shape, because V8 reads them faster then. */
const BY_ID: ReadonlyMap<string, KnownType> = new Map(
  PRODUCT_TYPES.map((type: ProductType): [string, KnownType] => {
    const { id, name, kind, intangible = false, part_of = null, like = null, apart_if_favoured } = type
    const shipped = kind === 'goods' || id === 'prepared_food' || part_of === 'prepared_food'
    const apart = apart_if_favoured === true
    return [id, { kind, voucher: isVoucher(id), intangible, shipped, name, part_of, like, apart }]
  }),
)

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
