import { env } from 'cloudflare:workers'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { BUCKET } from './sealed.ts'

const DEAD = new Error('the invocation died')

/** Bindings whose trips to database and bucket end at one of them: it is made or not, and then all fail. */
export function dyingAt(last: number, made: boolean) {
  let trips = 0
  const around = async <T>(trip: () => Promise<T>): Promise<T> => {
    trips += 1
    if (trips > last || (trips === last && !made)) throw DEAD
    const result = await trip()
    if (trips === last) throw DEAD
    return result
  }
  const bucket = new Proxy(BUCKET, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => around(async () => member.apply(target, values) as unknown)
    },
  })
  return { bindings: { DB: interceptedDatabase(env.DB, around), CHESTS: bucket }, ended: () => trips < last }
}
