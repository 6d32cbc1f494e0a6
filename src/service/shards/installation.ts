import type { Bindings } from '../../platform/bindings.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import { type Shard, shardOf } from '../../platform/database/shards.ts'

/** All databases of an installation. `shardOf` throws an Error for a number without a database. */
export type Installation = { control: ControlDb; shardOf: (number: number) => Shard }

export function installationOf(env: Pick<Bindings, 'DB' | `BOOKS_${number}`>): Installation {
  return { control: env.DB, shardOf: (number) => shardOf(env, number) }
}
