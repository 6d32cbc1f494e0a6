import { type ControlDb, type ControlSession, unchecked } from './databases.ts'
import { onForget } from '../kit/memory.ts'

/** A query through a session that takes longer is given up. Far from the database, one trip takes 0.3 s. */
const LIMIT_MS = 1_000

const NEAREST = 'first-unconstrained'
const HUNG = Symbol('hung')

/** Whether a query through a session has hung in this isolate. */
let broken = false
onForget(() => {
  broken = false
})

export function sessionsAreBroken(): boolean {
  return broken
}

/**
 * Reads from the nearest replica of a database, through a session. In production, sessions of D1 have hung
 * without an error. So a query that takes longer than a second is asked again of the database itself, which
 * is the primary, and this isolate uses no session any more. One log line says so.
 */
export async function fromNearest<Row>(
  db: ControlDb,
  read: (source: ControlDb | ControlSession) => Promise<Row>,
): Promise<Row> {
  if (broken) return read(db)
  const answered = await withinLimit(read(db.withSession(NEAREST)))
  if (answered !== HUNG) return answered
  noteBroken()
  return read(db)
}

/** Whether a session of a database answers in time. It also decides whether this isolate uses sessions. */
export async function probeSession(db: ControlDb): Promise<boolean> {
  if (broken) return false
  const session = unchecked(db.withSession(NEAREST))
  const answered = await withinLimit(session.prepare('SELECT 1').all())
  if (answered === HUNG) noteBroken()
  return answered !== HUNG
}

async function withinLimit<T>(answer: Promise<T>): Promise<T | typeof HUNG> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<typeof HUNG>((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS, HUNG)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}

function noteBroken(): void {
  if (broken) return
  broken = true
  console.error(
    JSON.stringify({
      level: 'error',
      step: 'query through a session',
      error: `No answer within ${LIMIT_MS} ms: this isolate reads from the primary, without sessions`,
    }),
  )
}
