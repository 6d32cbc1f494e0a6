import { saysNoRegion } from '../../engine/book/region-names.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { countryName } from '../../platform/http/country-name.ts'
import { findPlace } from '../../engine/supply/place.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import { nameOf } from '../../tax-data/records/present-facts.ts'
import { findCountry } from './countries.ts'
import { isPostalCode, normalisePostalCode } from './postal-codes.ts'
import { findRegion } from '../../platform/http/subdivisions.ts'
import { normaliseCity, normaliseStreet } from './us-streets.ts'
import {
  type Address,
  type AddressBody,
  AddressField,
  type SpecialTerritory,
  type ValidateAddressAnswer,
} from './schemas.ts'

type Field = z.output<typeof AddressField>
type CheckedAddress = z.output<typeof Address>
type Issue = { field: Field; code: string; message: string }

const FIELDS = AddressField.options
/** Where the region decides the tax, one that nobody knows is a fault. */
const REGIONAL = new Set(['US', 'CA', 'AU'])

/**
 * Brings an address into its usual form, and tells what is wrong with it as far as tax goes: country, region
 * and postal code.
 */
export async function validateAddress(
  context: Context,
  given: AddressBody,
): Promise<Answer<typeof ValidateAddressAnswer>> {
  const book = await bookFor(context)
  const before = fieldsOf(given)
  const issues: Issue[] = []
  const address = normalise(before, issues)
  const place = issues.length === 0 ? locate(book, address, issues) : null
  return {
    valid: issues.length === 0,
    address,
    jurisdiction_id: place?.jurisdiction_id ?? null,
    special_territory: place?.special_territory ?? null,
    changes: FIELDS.filter((field) => before[field] !== address[field]).map((field) => ({
      field,
      from: before[field],
      to: address[field],
    })),
    issues,
    checked: 'Country, region and postal code. The street is not checked.',
  }
}

function fieldsOf(given: AddressBody): CheckedAddress {
  const { country, region = null, city = null, postal_code = null, line1 = null, line2 = null } = given
  return { country, region, city, postal_code, line1, line2 }
}

function normalise(before: CheckedAddress, issues: Issue[]): CheckedAddress {
  const plain = { ...before, city: tidy(before.city), line1: tidy(before.line1), line2: tidy(before.line2) }
  const country = findCountry(before.country)
  if (country === null) {
    issues.push({ field: 'country', code: 'unknown_country', message: 'is not a country' })
    return { ...plain, region: tidy(before.region), postal_code: tidy(before.postal_code) }
  }
  const region = regionOf(country, tidy(before.region), issues)
  return {
    ...(country === 'US' ? inUsForm(plain, region) : plain),
    country,
    region,
    postal_code: postalCodeOf(country, tidy(before.postal_code), issues),
  }
}

/** City and street as the Postal Service of the United States writes them. */
function inUsForm(address: CheckedAddress, region: string | null): CheckedAddress {
  const { city, line1 } = address
  return {
    ...address,
    city: city === null ? null : normaliseCity(city, region),
    line1: line1 === null ? null : normaliseStreet(line1),
  }
}

function tidy(text: string | null): string | null {
  const tidied = (text ?? '').trim().replaceAll(/\s+/g, ' ')
  return tidied === '' ? null : tidied
}

function regionOf(country: string, region: string | null, issues: Issue[]): string | null {
  if (region === null) return null
  const found = findRegion(country, region)
  if (found === null && saysNoRegion(region)) return null
  if (found === null && REGIONAL.has(country))
    issues.push({
      field: 'region',
      code: 'invalid_region',
      message: `is not a state, province or territory of ${countryName(country)}`,
    })
  return found?.code ?? region
}

function postalCodeOf(country: string, postal_code: string | null, issues: Issue[]): string | null {
  if (postal_code === null) return null
  const code = normalisePostalCode(country, postal_code)
  if (!isPostalCode(country, code))
    issues.push({
      field: 'postal_code',
      code: 'invalid_postal_code',
      message: `is not a postal code of ${countryName(country)}`,
    })
  return code
}

type Located = { jurisdiction_id: string | null; special_territory: z.output<typeof SpecialTerritory> | null }

/**
 * Where tax law sees the address. What the engine would refuse is an issue here; a state that the postal code
 * tells is filled in.
 */
function locate(book: RateBook, address: CheckedAddress, issues: Issue[]): Located | null {
  const { country, region, city, postal_code } = address
  try {
    const place = findPlace(book, { country, region, city, postal_code }, '')
    const { jurisdiction_id } = place
    if (region === null && (country === 'US' || country === 'CA')) address.region = jurisdiction_id.slice(-2)
    const jurisdiction = book.jurisdictions.get(jurisdiction_id)
    const special = jurisdiction === undefined ? jurisdiction_id !== country : jurisdiction.special_territory
    return {
      jurisdiction_id: jurisdiction === undefined ? null : jurisdiction_id,
      special_territory: special
        ? {
            id: jurisdiction_id,
            name: nameOf(book, jurisdiction_id),
            treatment: jurisdiction?.vat_treatment ?? 'not_covered',
          }
        : null,
    }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    const field = FIELDS.find((name) => thrown.parameter.endsWith(name)) ?? 'country'
    issues.push({ field, code: thrown.reason, message: thrown.message })
    return null
  }
}
