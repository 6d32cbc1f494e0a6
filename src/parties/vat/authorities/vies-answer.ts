import { disclosed, type VatNumber, type Verdict } from './authority.ts'

export const VIES = 'European Commission, VIES'

/** The code of a country in VIES, which calls Greece EL. */
export function viesCode(country: string): string {
  return country === 'GR' ? 'EL' : country
}

/** Whether an answer is about the number that was asked for. */
export function isAnswerTo(
  { countryCode, vatNumber }: { countryCode: string; vatNumber: string },
  asked: VatNumber,
): boolean {
  return (
    countryCode === viesCode(asked.country) &&
    vatNumber.replaceAll(/[\s.-]/g, '').toUpperCase() === asked.number
  )
}

/** The verdict from an answer of VIES, over REST or SOAP. */
export function viesVerdict(
  valid: boolean,
  details: {
    name?: string | undefined
    address?: string | undefined
    consultation_number?: string | undefined
  },
): Verdict {
  const consultation_number = disclosed(details.consultation_number)
  if (!valid) return { status: 'invalid', source: VIES, consultation_number }
  return {
    status: 'valid',
    source: VIES,
    company_name: disclosed(details.name),
    company_address: disclosed(details.address),
    consultation_number,
  }
}
