import { fieldError } from '../../platform/errors.ts'

/** Throws invalid_request if the period ends before it begins. */
export function refuseReversed({
  from_date = '',
  to_date = '9999',
}: {
  from_date?: string | undefined
  to_date?: string | undefined
}): void {
  if (from_date > to_date) throw fieldError('invalid_request', 'to_date', 'must not be before from_date')
}
