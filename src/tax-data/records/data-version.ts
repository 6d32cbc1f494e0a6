/**
 * The version of the tax data of an answer: that of the rate book, `20261122T101500000Z`. If local taxes were
 * used, `+` and the version of the local book follow.
 */
type DataVersion = {
  rates: string
  /** The moment whose local book is meant, ISO 8601. A version without one means its own moment. */
  local_at: string
  /** Whether the version names a local book. */
  names_local: boolean
}

const VERSION = /^(\d{8}T\d{9}Z)(?:\+(\d{8}T\d{9}Z))?$/

/** Reads a version; null: it has another form. */
export function readDataVersion(text: string): DataVersion | null {
  const [, rates, local] = VERSION.exec(text) ?? []
  if (rates === undefined) return null
  return { rates, local_at: momentOfVersion(local ?? rates), names_local: local !== undefined }
}

/** The version of an answer from both books; null: it used no local taxes. */
export function dataVersionOf(rates: string, local: { version: string } | null): string {
  return local === null ? rates : `${rates}+${localVersionOf(local)}`
}

/** The version of each local book in memory, in the form of a data version. */
const local_versions = new WeakMap<object, string>()

function localVersionOf(local: { version: string }): string {
  const known = local_versions.get(local)
  if (known !== undefined) return known
  const version = local.version.replaceAll(/[-:.]/g, '')
  local_versions.set(local, version)
  return version
}

/** The moment of the rate book: `20261122T101500000Z` as ISO 8601. */
export function momentOfVersion(version: string): string {
  return version.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z')
}
