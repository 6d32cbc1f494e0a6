import type { Context } from '../../platform/context.ts'
import { blankCustomer } from '../../parties/customers/create.ts'
import { changeCustomer, type CustomerRow, hashedFieldsOf } from '../../parties/customers/customer.ts'
import { deleteCustomer as eraseCustomer } from '../../parties/customers/delete.ts'
import {
  insertCustomer,
  readCustomer,
  readExternalIds,
  replaceCustomer,
} from '../../parties/customers/store.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import { joinWrites, type PartOfWrite } from '../../platform/writes/join-writes.ts'
import { changedAt, readAgainOnChange } from '../../platform/database/read-again.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { StoredExemption } from '../../parties/exemptions/exemption.ts'
import { isHeld } from '../../parties/exemptions/state.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import type { CustomerAnswer, CustomersAnswer } from './answers.ts'
import { postalCode } from './countries.ts'
import { TaxJarError } from './errors.ts'
import {
  CERTIFICATE,
  type ChangedExemptions,
  changedExemptions,
  type ExemptType,
  exemptionsWrite,
  regionIds,
} from './exempt-regions.ts'
import { isExempting, THEIR_EXEMPTIONS } from './exemption-types.ts'
import type { CustomerInput } from './schemas.ts'

type CustomerReply = Answer<typeof CustomerAnswer>

const IDS_MAX = 10_000
const TYPE = 'taxjar_exemption_type'
const REGIONS = 'taxjar_exempt_regions'

/** `GET /v2/customers`: the ids of the newest 10,000 customers that have one. */
export async function listCustomers(context: Context): Promise<Answer<typeof CustomersAnswer>> {
  return { customers: await readExternalIds(context, IDS_MAX) }
}

/** A customer by its id at the shop. Throws 404. */
export async function showCustomer(context: Context, id: string): Promise<CustomerReply> {
  const { row, exemptions } = await readCustomer(context, 'external_id', id)
  return replyOf(context, row, exemptions)
}

/** Adds a customer with its exemptions, which the caller vouches for. Throws 422 if its id is taken. */
export async function createCustomer(context: Context, given: CustomerInput): Promise<CustomerReply> {
  for (const name of ['customer_id', 'exemption_type', 'name'] as const)
    if (!given[name]) throw new TaxJarError(406, `${name} is missing`)
  const type = exemptionType(given, 'non_exempt')
  const regions = given.exempt_regions ?? []
  const row = changeCustomer(blankCustomer(newId('cust'), context.now.toISOString()), {
    ...fieldsOf(given, null),
    external_id: given.customer_id,
    metadata: metadataOf({}, type, regionIds(regions)),
  })
  const exemptions = await changedExemptions(context, [], type, regions)
  try {
    await commitCustomer(context, given, null, row, exemptions)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'external_id_taken') throw thrown
    throw new TaxJarError(422, `customer_id ${row.external_id ?? ''} is already used`)
  }
  return replyOf(context, row, exemptions.added)
}

/** Changes a customer. Exemptions that are not named any more end. Throws 404. */
export async function updateCustomer(
  context: Context,
  id: string,
  given: CustomerInput,
): Promise<CustomerReply> {
  return readAgainOnChange(async () => {
    const { row: before, exemptions } = await readCustomer(context, 'external_id', id)
    const asked = given.exemption_type !== undefined || given.exempt_regions !== undefined
    // Certificates of other numbers are not changed in this form.
    const vouched = heldOf(context, exemptions).filter(
      ({ certificate_number }) => certificate_number === CERTIFICATE,
    )
    const type = exemptionType(given, typeOf(before, vouched))
    const regions = given.exempt_regions ?? regionsOf(before, vouched)
    const metadata: Record<string, string> = JSON.parse(before.metadata)
    const after: CustomerRow = {
      ...changeCustomer(before, {
        ...fieldsOf(given, before),
        metadata: asked ? metadataOf(metadata, type, regionIds(regions)) : metadata,
      }),
      updated_at: changedAt(context.now, before.updated_at),
    }
    const changed = asked
      ? await changedExemptions(context, exemptions, type, regions)
      : { kept: exemptions, added: [], ended: [] }
    await commitCustomer(context, given, before, after, changed)
    return replyOf(context, after, [...changed.kept, ...changed.added])
  })
}

/** Writes a customer with its exemptions. `before` is null for a new one. */
async function commitCustomer(
  context: Context,
  given: CustomerInput,
  before: CustomerRow | null,
  after: CustomerRow,
  exemptions: ChangedExemptions,
): Promise<void> {
  const customer: PartOfWrite = {
    changes:
      before === null
        ? insertCustomer(context, after)
        : guarded(context.books, replaceCustomer(context, before, after), 'concurrent_change'),
    audit: [
      {
        action: before === null ? 'customer.created' : 'customer.updated',
        resource_id: after.id,
        changed: Object.keys(given),
        values: await valuesOf(before, after, hashedFieldsOf(after)),
      },
    ],
    events: [],
    stores: { customers: before === null ? 1 : 0 },
  }
  const parts = [customer, await exemptionsWrite(context, after, exemptions)]
  await commit(context, { ...joinWrites(parts), answer: {} })
}

/** Erases a customer. The answer is the customer that was. Throws 404. */
export async function deleteCustomer(context: Context, id: string): Promise<CustomerReply> {
  const { row, exemptions } = await readCustomer(context, 'external_id', id)
  await eraseCustomer(context, row.id)
  return replyOf(context, row, exemptions)
}

function fieldsOf(given: CustomerInput, before: CustomerRow | null) {
  const country = given.country ?? before?.country ?? null
  return {
    name: given.name ?? before?.name ?? null,
    address:
      country === null
        ? null
        : {
            country,
            region: given.state ?? before?.region ?? null,
            city: given.city ?? before?.city ?? null,
            postal_code: postalCode({ country, zip: given.zip ?? before?.postal_code }),
            line1: given.street ?? before?.line1 ?? null,
            line2: before?.line2 ?? null,
          },
  }
}

function exemptionType({ exemption_type }: CustomerInput, otherwise: ExemptType): ExemptType {
  if (exemption_type === 'marketplace')
    throw new TaxJarError(400, 'exemption_type must be one of wholesale, government, other, non_exempt')
  return exemption_type ?? otherwise
}

function metadataOf(before: Record<string, string>, type: ExemptType, regions: readonly string[]) {
  return { ...before, [TYPE]: type, [REGIONS]: regions.join(' ') }
}

/** The verified exemptions that have not ended. */
function heldOf({ principal, now }: Context, exemptions: readonly StoredExemption[]): StoredExemption[] {
  const today = todayIn(principal.time_zone, now)
  return exemptions.filter((exemption) => isHeld(exemption, today))
}

/** The exemptions on file decide: they may have been changed elsewhere. */
function typeOf({ metadata }: CustomerRow, exemptions: readonly StoredExemption[]): ExemptType {
  const held = exemptions.at(0)
  if (held !== undefined) return THEIR_EXEMPTIONS[held.exemption_type]
  const kept: Record<string, string> = JSON.parse(metadata)
  return kept[REGIONS] === '' && isExempting(kept[TYPE]) ? kept[TYPE] : 'non_exempt'
}

/** The regions that were sent; else those of the exemptions on file. */
function regionsOf({ metadata }: CustomerRow, exemptions: readonly StoredExemption[]) {
  const kept: Record<string, string> = JSON.parse(metadata)
  const sent = kept[REGIONS]
  const ids =
    sent === undefined
      ? exemptions.map(({ jurisdiction_id }) => jurisdiction_id)
      : sent.split(' ').filter((id) => id !== '')
  return ids.map((id) => {
    const [country = '', state] = id.split('-')
    return { country, ...(state !== undefined && { state }) }
  })
}

function replyOf(context: Context, row: CustomerRow, all: readonly StoredExemption[]): CustomerReply {
  const exemptions = heldOf(context, all)
  return {
    customer: {
      customer_id: row.external_id ?? row.id,
      exemption_type: typeOf(row, exemptions),
      exempt_regions: regionsOf(row, exemptions),
      name: row.name ?? '',
      country: row.country,
      state: row.region,
      zip: row.postal_code,
      city: row.city,
      street: row.line1,
    },
  }
}
