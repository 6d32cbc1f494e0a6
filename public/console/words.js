/**
 * A name of the API with spaces, for people: `tax_rate` becomes `tax rate`.
 * @param {string} name
 */
export function withSpaces(name) {
  return name.replaceAll('_', ' ')
}
