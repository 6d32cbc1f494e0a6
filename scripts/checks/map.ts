/**
 * What src/ and its map in CONTRIBUTING.md do not have in common: a line of the map begins with the path of a
 * wing, or of the one file beside them. `entries` are the names in src/.
 */
export function mapFaults(page: string, entries: readonly string[]): string[] {
  const mapped = [...page.matchAll(/^src\/([\w.-]+)\/? +\S/gm)].map(([, name = '']) => name)
  const missing = entries.filter((name) => !mapped.includes(name))
  const extra = mapped.filter((name) => !entries.includes(name))
  return [
    ...missing.map((name) => `CONTRIBUTING.md: the map does not name src/${name}: add its line`),
    ...extra.map((name) => `CONTRIBUTING.md: there is no src/${name}: remove its line`),
  ]
}
