import type { BooksDb } from '../../platform/database/databases.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import type { VatScheme } from '../../engine/ground/vat-schemes.ts'
import type { Address, Exemption } from '../../engine/sale/sale.ts'
import { readTaxFields, type ProofRow, type TaxFieldsRow, type FreeingRow } from './tax-fields-store.ts'

type KnownProof = {
  vat_id: string
  valid: boolean
  source: string
  consultation_number: string | null
  checked_at: string
}

/** The data on file of a customer that decides tax. */
export type KnownCustomer = {
  id: string
  address: Address | null
  vat_id: string | null
  /** Whether the authority found the VAT id valid; null: it was never asked. */
  vat_id_validated: boolean | null
  /** By which a second tax falls on what it buys; null: none. */
  vat_scheme: VatScheme | null
  /** The exemptions of all days that free sales. One that has expired frees those of its days. */
  exemptions: readonly Exemption[]
  /** The numbers of their certificates, by the id of the exemption. */
  certificate_numbers: ReadonlyMap<string, string>
  /** The authority's answer about the VAT id on file; null: there is none. */
  vat_proof: KnownProof | null
}

/**
 * The account's customers with these ids, in one query. Unknown and malformed ids are not in the map. The
 * primary is asked, not the nearest replica: that may not know yet of a certificate that has ended a moment
 * ago, or of a customer that was added.
 */
export async function loadCustomers(
  context: Context,
  ids: readonly string[],
): Promise<Map<string, KnownCustomer>> {
  const wanted = [...new Set(ids)].filter((id) => /^cust_[0-9a-z]{26}$/.test(id))
  if (wanted.length === 0) return new Map()
  const { books, principal } = context
  return readKnown(books, principal.account_id, wanted)
}

/** The loaded customer that a request names, or null if it names none. Throws not_found for `customer_id`. */
export function customerOf(
  { customer_id }: { customer_id?: string | null | undefined },
  customers: ReadonlyMap<string, KnownCustomer>,
): KnownCustomer | null {
  if (!customer_id) return null
  const customer = customers.get(customer_id)
  if (customer === undefined)
    throw fieldError('not_found', 'customer_id', `there is no customer ${JSON.stringify(customer_id)}`)
  return customer
}

/**
 * The customer on file that a request names, or null if it names none. Throws not_found for `customer_id`.
 */
export async function loadCustomerOf(
  context: Context,
  body: { customer_id?: string | null | undefined },
): Promise<KnownCustomer | null> {
  return customerOf(body, await loadCustomers(context, body.customer_id ? [body.customer_id] : []))
}

async function readKnown(
  db: BooksDb,
  account_id: string,
  ids: readonly string[],
): Promise<Map<string, KnownCustomer>> {
  const { customers, exemptions, proofs } = await readTaxFields(db, account_id, ids)
  const held = Map.groupBy(exemptions, (row) => row.customer_id)
  const proofOf = new Map(proofs.map((proof) => [proof.customer_id, proof]))
  const known = customers.map((row) =>
    knownCustomerOf(row, held.get(row.id) ?? [], proofOf.get(row.id) ?? null),
  )
  return new Map(known.map((customer) => [customer.id, customer]))
}

function knownCustomerOf(
  row: TaxFieldsRow,
  exemptions: readonly FreeingRow[],
  proof: ProofRow | null,
): KnownCustomer {
  const { id, country, region, city, postal_code, vat_id } = row
  return {
    id,
    address: country === null ? null : { country, region, city, postal_code },
    vat_id,
    vat_id_validated: row.vat_id_validated_at === null ? null : row.vat_id_validated === 1,
    vat_scheme: row.vat_scheme,
    exemptions: exemptions.map(exemptionOf),
    certificate_numbers: new Map(exemptions.map((row) => [row.id, row.certificate_number])),
    vat_proof: proofOnFile(row, proof),
  }
}

/** The answer about the VAT id on file. Null if it was about an earlier id of the customer. */
function proofOnFile({ vat_id_validated_at }: TaxFieldsRow, proof: ProofRow | null): KnownProof | null {
  if (proof === null) return null
  const { vat_id, status, source, consultation_number, checked_at } = proof
  if (checked_at === null || checked_at !== vat_id_validated_at) return null
  return { vat_id, valid: status === 'valid', source: source ?? '', consultation_number, checked_at }
}

function exemptionOf({ id, jurisdiction_id, exemption_type, valid_from, valid_to }: FreeingRow): Exemption {
  return { id, jurisdiction_id, exemption_type, valid_from, valid_to }
}
