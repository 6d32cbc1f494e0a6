/** A section of a configuration of wrangler, as its reader gives it. */
export type Section = { [name: string]: unknown }

/**
 * A configuration with what an operator has set: sections are merged, and of a list of sections those with
 * the same binding, name or queue. Sections that are new come last, so the control database stays the first
 * one. Any other value is replaced.
 */
export function mergeConfig(config: Section, own: Section): Section {
  const set = Object.entries(own).map(([name, value]) => [name, mergeValue(config[name], value)])
  return { ...config, ...Object.fromEntries(set) }
}

function mergeValue(value: unknown, own: unknown): unknown {
  if (isSection(value) && isSection(own)) return mergeConfig(value, own)
  if (!areSections(value) || !areSections(own)) return own
  const ofSame = (one: Section, others: readonly Section[]) =>
    others.find((each) => idOf(one) !== null && idOf(each) === idOf(one))
  const changed = value.map((each) => mergeConfig(each, ofSame(each, own) ?? {}))
  return [...changed, ...own.filter((each) => ofSame(each, value) === undefined)]
}

/** By which wrangler tells the sections of a list apart; null: by nothing. */
function idOf({ binding, name, queue }: Section): string | null {
  const id = binding ?? name ?? queue
  return typeof id === 'string' ? id : null
}

/** The part of an environment; '' is production, which is the configuration itself. */
export function partOf(config: Section, environment: string): Section {
  const { env } = config
  const part = environment === '' ? config : isSection(env) ? env[environment] : undefined
  if (!isSection(part)) throw new Error(`wrangler.toml has no environment ${environment}`)
  return part
}

/** The sections of a list; none if there is no such list. */
export function sectionsOf(config: Section, name: string): Section[] {
  const { [name]: found } = config
  return areSections(found) ? found : []
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function areSections(value: unknown): value is Section[] {
  return Array.isArray(value) && value.every(isSection)
}
