import { SESSION } from '../account.ts'
import { formatDay, todayInZone } from '../format.ts'
import { useLoading } from '../parts/load.tsx'
import { readRegistrations } from '../registrations/registration.ts'
import { may } from '../scopes.ts'

/** Who declares, under which number, and when it was printed: a printed return says whose it is. */
export function Taxpayer({ of, from_date }: { of: string | null; from_date: string }) {
  const registrations = useLoading(async () => (may('registrations:read') ? readRegistrations() : []), [of])
  const registration = registrations.value?.find(
    ({ jurisdiction_id, scheme, valid_to }) =>
      (jurisdiction_id ?? scheme) === of && (valid_to === null || valid_to >= from_date),
  )
  const account = SESSION.get()?.account ?? null
  const number = registration?.registration_number ?? null
  const facts = [
    account?.name,
    number !== null && `registration number ${number}`,
    account !== null && account.vat_id !== null && account.vat_id !== number && `VAT id ${account.vat_id}`,
    `printed on ${formatDay(todayInZone())}`,
  ]
  return <p class="only-print">{facts.filter(Boolean).join(' · ')}</p>
}
