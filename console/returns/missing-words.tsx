import type { Child } from 'hono/jsx/dom'
import { periodWords } from './period-words.ts'

/** Names of the parts of a return that an error can name, with the place where each is mended. */
const PARTS: readonly {
  at: RegExp
  name: (found: readonly string[]) => string
  href?: (found: readonly string[]) => string
}[] = [
  { at: /^seller\.country$/, name: () => 'Your country', href: () => '#/settings' },
  { at: /^seller\.vat_id$/, name: () => 'Your VAT id', href: () => '#/settings' },
  {
    at: /^registrations\.(.+)$/,
    name: ([, place = '']) => `The registration in ${place}`,
    href: () => '#/registrations',
  },
  {
    at: /^(?:transactions\.)?(txn_[0-9a-z]+)/,
    name: ([, id = '']) => id,
    href: ([, id = '']) => `#/transactions/${id}`,
  },
  {
    at: /^corrections\.(.+)\.(.+)$/,
    name: ([, place = '', period = '']) => `The correction of ${periodWords(period)}, ${place}`,
  },
  { at: /^supplies\.(.+)$/, name: ([, supply = '']) => `The supply ${supply}` },
  { at: /^supplies$/, name: () => 'The return' },
  { at: /^fx_rates$/, name: () => 'Exchange rates' },
  { at: /^period$/, name: () => 'The period' },
  { at: /^jurisdiction_id$/, name: () => 'The state' },
]

/** A missing part of a file, in words. If another view can mend it, the name is a link there. */
export function missingWords({ path, message }: { path: string; message: string }): Child {
  for (const { at, name, href } of PARTS) {
    const found = at.exec(path)
    if (found === null) continue
    const shown = name([...found])
    return (
      <span>
        {href === undefined ? shown : <a href={href([...found])}>{shown}</a>}: {message}
      </span>
    )
  }
  return `${path}: ${message}`
}
