/**
 * Kinds of supply that the place-of-supply rules distinguish. digital: electronically supplied services
 * (Directive 2006/112/EC, art. 58 and annex II); on_site: taxed where it takes place.
 */
export const SUPPLY_KINDS = ['goods', 'digital', 'service', 'on_site', 'shipping'] as const
export type SupplyKind = (typeof SUPPLY_KINDS)[number]

export type ProductType = { id: string; name: string; kind: SupplyKind; description: string }

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
] as const satisfies readonly ProductType[]

export const PRODUCT_TYPE_IDS = PRODUCT_TYPES.map(({ id }) => id)

const BY_ID = new Map<string, ProductType>(PRODUCT_TYPES.map((product) => [product.id, product]))

/** The kind of supply of a product type, or undefined if there is no such type. */
export function supplyKind(product_type: string): SupplyKind | undefined {
  return BY_ID.get(product_type)?.kind
}
