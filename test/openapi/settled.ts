/** Fields that measure this run, or that any change of the tax data changes. */
const FIXED = new Map<string, unknown>([
  ['duration_ms', 42],
  ['checksum', '0'.repeat(64)],
  ['hash', '0'.repeat(64)],
])

/** The number that each id got. */
const numbers = new Map<string, string>()

/** The same whenever it is told: what is random gets the next number of its kind. */
export function settled(answer: unknown): unknown {
  const text = JSON.stringify(answer, (name, value: unknown) => FIXED.get(name) ?? value)
    .replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (id, prefix: string) => numbered(id, prefix))
    .replaceAll(/tcs_(live|test)_\w{38}/g, 'tcs_$1_0000000000000000000000000000000000000000')
    .replaceAll(/"prefix":"tcs_(live|test)_\w+"/g, '"prefix":"tcs_$1_000"')
    .replaceAll(/calendar\/[\w-]{32}/g, `calendar/${'0'.repeat(32)}`)
    .replaceAll(/whsec_[\w+/=-]{40,}/g, `whsec_${'0'.repeat(43)}`)
  return JSON.parse(text)
}

function numbered(id: string, prefix: string): string {
  const known =
    numbers.get(id) ??
    numberOf(prefix, [...numbers.keys()].filter((each) => each.startsWith(`${prefix}_`)).length + 1)
  numbers.set(id, known)
  return known
}

function numberOf(prefix: string, number: number): string {
  return `${prefix}_01kae${String(number).padStart(21, '0')}`
}

/** Long lists are cut to two: an example is there to be read. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return (value.length > 5 ? value.slice(0, 2) : value).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
}
