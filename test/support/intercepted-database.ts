/** Stands around one round trip to the database: makes it, or does not. */
export type Around = <T>(trip: () => Promise<T>) => Promise<T>

/** Every method of D1 that is not named below answers with a promise. */
type Method = (...values: unknown[]) => Promise<unknown>

/** A database of which every round trip goes through `around`. */
export function interceptedDatabase<Db extends D1Database>(db: Db, around: Around): Db {
  const originals = new WeakMap<object, D1PreparedStatement>()
  const statement = (original: D1PreparedStatement): D1PreparedStatement => {
    const intercepted = new Proxy(original, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => statement(target.bind(...values))
        const member: unknown = Reflect.get(target, name)
        if (!isMethod(member)) return member
        return (...values: unknown[]) => around(() => member.apply(target, values))
      },
    })
    originals.set(intercepted, original)
    return intercepted
  }
  const connection = <T extends object>(original: T): T =>
    new Proxy(original, {
      get(target, name) {
        if (name === 'prepare') return (sql: string) => statement(db.prepare(sql))
        if (name === 'withSession') return () => connection(db)
        const member: unknown = Reflect.get(target, name)
        if (!isMethod(member)) return member
        return (...values: unknown[]) => {
          const given = Array.isArray(values[0])
            ? [values[0].map((each) => originals.get(each) ?? each)]
            : values
          return around(() => member.apply(target, given))
        }
      },
    })
  return connection(db)
}

function isMethod(member: unknown): member is Method {
  return typeof member === 'function'
}

/** A database that counts the round trips made to it: what a request costs, whatever the machine. */
export function countingDatabase<Db extends D1Database>(db: Db): { db: Db; trips: () => number } {
  let trips = 0
  const counted = interceptedDatabase(db, async (trip) => {
    trips += 1
    return trip()
  })
  return { db: counted, trips: () => trips }
}
