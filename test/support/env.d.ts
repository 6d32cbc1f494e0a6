import type { D1Migration } from 'cloudflare:test'
import type { WholeDb } from '../../src/platform/database/databases.ts'
import type { Bindings } from '../../src/platform/bindings.ts'

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      /** All tables are in it, so a test may ask for any of them. */
      DB: WholeDb
      TEST_MIGRATIONS: D1Migration[]
      TEST_BUCKET: R2Bucket
    }
    interface GlobalProps {
      mainModule: typeof import('./worker.ts')
    }
  }
}
