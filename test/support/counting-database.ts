/** A database that counts the round trips made to it: what a request costs, whatever the machine. */
export function countingDatabase(db: D1Database): { db: D1Database; trips: () => number } {
  let trips = 0
  const originals = new WeakMap<object, D1PreparedStatement>()
  const statement = (original: D1PreparedStatement): D1PreparedStatement => {
    const counted = new Proxy(original, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => statement(target.bind(...values))
        const member = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...values: unknown[]) => {
          trips += 1
          return Reflect.apply(member, target, values)
        }
      },
    })
    originals.set(counted, original)
    return counted
  }
  const connection = <T extends object>(original: T): T =>
    new Proxy(original, {
      get(target, name) {
        if (name === 'prepare') return (sql: string) => statement(db.prepare(sql))
        if (name === 'withSession') return () => connection(db)
        const member = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...values: unknown[]) => {
          trips += 1
          const given = Array.isArray(values[0]) ? [values[0].map((each) => originals.get(each) ?? each)] : values
          return Reflect.apply(member, target, given)
        }
      },
    })
  return { db: connection(db), trips: () => trips }
}
