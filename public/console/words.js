/**
 * A name of the wire, as people read it.
 * @param {string} name
 */
export function words(name) {
  return name.replaceAll('_', ' ')
}
