import type { Context } from '../../platform/context.ts'
import { formKeyOf, isOpen, type Obliged } from './filed.ts'
import { obligedAccountOf, readAllObligations } from './open-returns.ts'

/** Whether the period of an obligation has ended, and it is still to be done. */
function isOwed(each: Obliged): boolean {
  return isOpen(each) && each.status !== 'open'
}

/** The earliest obligation of each form whose period has ended and that is still to be done, by its form. */
export function earliestUnfiled(all: readonly Obliged[]): ReadonlyMap<string, Obliged> {
  const earliest = new Map<string, Obliged>()
  for (const each of all) {
    const key = formKeyOf(each.due)
    const known = earliest.get(key)
    if (isOwed(each) && (known === undefined || each.due.from_date < known.due.from_date))
      earliest.set(key, each)
  }
  return earliest
}

/** The earliest period of the same return that is still to be filed before an obligation; null: none. */
export function earlierThan({ due }: Obliged, earliest: ReadonlyMap<string, Obliged>): string | null {
  const found = earliest.get(formKeyOf(due))?.due
  return found !== undefined && found.to_date < due.from_date ? found.period : null
}

/** A return before it is filed. */
type BeforeFiling = { type: string; jurisdiction_id: string | null; from: string }

/**
 * Notes on a return whose earlier periods are not filed: late sales of them go into the next open return, so
 * the order of filing decides where they are declared.
 */
export async function notesOnOrder(
  context: Context,
  { type, jurisdiction_id, from }: BeforeFiling,
): Promise<string[]> {
  const account = obligedAccountOf(context)
  const { obligations } = await readAllObligations(account, null, account.today)
  const own = formKeyOf({ document: 'return', type, jurisdiction_id: jurisdiction_id ?? '' })
  const periods = obligations
    .filter((each) => isOwed(each) && formKeyOf(each.due) === own && each.due.to_date < from)
    .map(({ due }) => due.period)
  const [first, ...others] = periods
  if (first === undefined) return []
  const which =
    others.length === 0 ? `${first} is` : `${first} and ${others.length} later periods before it are`
  return [
    `Not filed yet: of this return ${which} open. File in the order of the periods, or set aside what is ` +
      'not to be filed here',
  ]
}
