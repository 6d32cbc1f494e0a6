/**
 * Throws a TypeError that names the option, unless each of these is a function: a shop in JavaScript learns
 * at its start what else it would learn at its first sale. `tax.calculate` names the function of an option.
 */
export function requireFunctions(who: string, options: unknown, names: readonly string[]): void {
  for (const name of names) {
    const found = name.split('.').reduce<unknown>((value, key) => memberOf(value, key), options)
    if (typeof found !== 'function') throw new TypeError(`${who}: ${name} is missing: give a function`)
  }
}

function memberOf(value: unknown, key: string): unknown {
  return value === null || value === undefined ? undefined : Reflect.get(Object(value), key)
}
