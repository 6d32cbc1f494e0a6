import { usualVatId } from '../../parties/vat/usual-vat-id.ts'
import { ApiError } from '../../platform/errors.ts'
import { refuseInexact } from '../../sales/transactions/sums/sums.ts'
import { MONEY } from '../../sales/transactions/give-back/refund-split.ts'
import type { LineEntry } from '../rows/line-entry.ts'

/** A line takes about 1 kB of memory, and an isolate has 128 MB. */
const LINES_KEPT_MAX = 20_000

/** The lines of a return, page by page, as a file needs them. */
type KeptLines = { add: (page: readonly LineEntry[]) => void; lines: () => LineEntry[] }

/**
 * Keeps each line, or one line with the sums of all lines that have the same key. VAT ids of customers are in
 * their usual form: books and filed returns have them as they were typed. `add` throws return_too_large if
 * more lines would be kept than memory allows.
 */
export function keptLines(keyOf: ((line: LineEntry) => string) | null, max = LINES_KEPT_MAX): KeptLines {
  const kept = new Map<string, LineEntry>()
  return {
    lines: () => [...kept.values()],
    add(page) {
      for (const typed of page) {
        const line = { ...typed, customer_vat_id: usual(typed) }
        const key = keyOf === null ? line.id : keyOf(line)
        const known = kept.get(key)
        if (known === undefined) kept.set(key, line)
        else for (const name of MONEY) known[name] = refuseInexact(known[name] + line[name])
      }
      if (kept.size > max)
        throw new ApiError('return_too_large', {
          message: `The file would have more than ${max} lines: ask for a shorter period`,
        })
    },
  }
}

/** The VAT id of a line's customer in its usual form, or as it was typed if it has not the form of one. */
function usual({ customer_vat_id, customer_country }: LineEntry): string | null {
  return customer_vat_id === null ? null : (usualVatId(customer_vat_id, customer_country) ?? customer_vat_id)
}
