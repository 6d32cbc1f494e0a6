/**
 * A name of the API with spaces, for people: `tax_rate` becomes `tax rate`.
 * @param {string} name
 */
export function withSpaces(name) {
  return name.replaceAll('_', ' ')
}

/**
 * A number with its noun: `1 transaction`, `2 transactions`.
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}
