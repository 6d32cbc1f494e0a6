import type { Bindings } from '../../platform/bindings.ts'
import type { Reader } from '../../platform/context.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import { type Ages, type HeldCopy, oneAtATime, stateOf } from '../../platform/kit/held-copy.ts'
import { nowKey, pointerKey } from './book-names.ts'
import { onForget } from '../../platform/kit/memory.ts'

/** Locations keep the current book for so long. Its pointer is read behind the first answer. */
const CACHE_SECONDS = 300
/** A location may keep an old pointer for a minute beside a new book. */
const POINTER_LAG_MS = 90_000
const KEPT_SECONDS = 400 * 86_400
/** One health check need not name more keys. */
const UNREADABLE_MAX = 10

type Versioned = { version: string }

/**
 * Where the versions of a book come from. KV has them as `<name>:<stamp>`; a stamp begins with a version. The
 * name contains the number of their form.
 */
type BookSource<Data extends Versioned, Book> = {
  name: string
  ages: Ages
  /** The data of a version in D1, null: of the newest; null if there is none. */
  read: (db: ControlDb, version: string | null) => Promise<Data | null>
  pack: (data: Data) => string
  open: (data: Data) => Book
  /**
   * Opens the book of a text that `pack` wrote. Throws if it cannot be read. A book that reads a part of the
   * text later, and cannot, throws what `refuse` returns.
   */
  openPacked: (packed: string, refuse: Refuse) => Book
  /** What is in force if D1 has no version. May throw. */
  none: () => Book
  /** How many earlier versions stay in memory, because each takes some megabytes. */
  earlier_max: number
}

type HeldBook<Data, Book> = {
  /**
   * The book in memory. Costs nothing: if it has to be compared with its source, this is done behind the
   * answer. Undefined: call `current`.
   */
  held: (reader: Reader) => Book | undefined
  /** The book in force. KV is fast; D1 is the source of truth. If they fail, the book in memory stays. */
  current: (reader: Reader) => Promise<Book>
  /** The book of a version, from memory, KV or D1; null if there is no such version. */
  ofVersion: (env: Bindings, version: string) => Promise<Book | null>
  /** Writes a book and the pointer to it. It stays in KV for so many seconds; by default 400 days. */
  publish: (kv: KVNamespace, stamp: string, data: Data, seconds?: number) => Promise<void>
  /** The stamp that isolates use; null: not one was published. */
  published: (kv: KVNamespace) => Promise<string | null>
  /** The keys of KV whose book this isolate could not read, and that nothing has replaced since. */
  unreadable: () => readonly string[]
}

/** Lets the next look at the book read it from D1. */
type Refuse = (cause: unknown) => UnreadableBook

/** A sale found that the text of its book cannot be read: the same sale finds another book. */
export class UnreadableBook extends Error {}

/** `since`: when the isolate took the book. A book of no version has no stamp. */
type Copy<Book> = HeldCopy & { book: Book; stamp: string; since: number }

/** A book with its stamp. */
type Stamped<Book> = { book: Book; stamp: string }

/** A book of which each isolate holds a copy, KV the versions, and D1 the data. */
export function heldBook<Data extends Versioned, Book extends Versioned | null>(
  source: BookSource<Data, Book>,
): HeldBook<Data, Book> {
  // All requests of an isolate share the copy, but no promises: workerd binds I/O to the request that began
  // it.
  let copy: Copy<Book> | null = null
  const earlier = new Map<string, Book>()
  const firstLoad = oneAtATime<Copy<Book>>()
  const dropCopies = () => {
    copy = null
    earlier.clear()
  }
  const kept = keptBooks(source, dropCopies)
  onForget(() => {
    dropCopies()
    kept.forgetTexts()
  })

  /** Loads a newer book if the pointer names one. Returns the book in force. */
  async function compare(env: Bindings, now: Date): Promise<Book> {
    const pointer = await kept.pointer(env.KV)
    if (copy !== null && isOfBefore(pointer, copy, now)) return copy.book
    if (copy === null || pointer !== copy.stamp) copy = copyAt(now, await kept.newest(env, pointer))
    copy.checked_at = now.getTime()
    return copy.book
  }

  /** The first book of an isolate. */
  async function loadFirst({ env, now, later }: Reader): Promise<Copy<Book>> {
    const current = await kept.current(env.KV)
    // Undefined: KV is down. Its pointer may be right, so it is not overwritten.
    const first = current ?? (await kept.newest(env, await kept.pointer(env.KV).catch(() => undefined)))
    copy = copyAt(now, first)
    const behind = current === null ? kept.makeCurrentAgain(env.KV, first.stamp) : compare(env, now)
    later(behind.then(noAnswer, noAnswer))
    return copy
  }

  return {
    held(reader) {
      if (copy === null) return undefined
      const state = stateOf(copy, reader.now, source.ages)
      if (state === 'due') reader.later(compare(reader.env, reader.now).then(noAnswer, noAnswer))
      return state === 'old' ? undefined : copy.book
    },
    async current(reader) {
      if (copy === null) {
        const { book } = await firstLoad(
          () => copy,
          () => loadFirst(reader),
        )
        return book
      }
      const { book } = copy
      // The other requests use the book in memory in the meantime.
      copy.checked_at = reader.now.getTime()
      return compare(reader.env, reader.now).catch(() => book)
    },
    async ofVersion(env, version) {
      if (copy?.book?.version === version) return copy.book
      const known = earlier.get(version)
      if (known !== undefined) return known
      const book = await kept.ofVersion(env, version)
      if (book === null) return null
      if (earlier.size >= source.earlier_max) earlier.clear()
      earlier.set(version, book)
      return book
    },
    publish: kept.publish,
    published: kept.pointer,
    unreadable: () => [...kept.unreadable],
  }
}

/** Reads and writes the texts of books in KV, and remembers which keys could not be read. */
function textsOfBooks<Data extends Versioned, Book>(
  { openPacked }: BookSource<Data, Book>,
  dropCopies: () => void,
) {
  const unreadable = new Set<string>()
  /** Texts of which a sale found a part that cannot be read. */
  const refused = new Set<string>()

  /** The book of a text in KV; null: this release cannot read it. */
  function openKept(key: string, packed: string): Book | null {
    const refuse: Refuse = (cause) => {
      refused.add(packed)
      dropCopies()
      return new UnreadableBook(key, { cause })
    }
    try {
      if (refused.has(packed)) throw new UnreadableBook('a part of it is broken')
      const book = openPacked(packed, refuse)
      unreadable.delete(key)
      return book
    } catch (thrown) {
      if (unreadable.size < UNREADABLE_MAX) unreadable.add(key)
      console.error(
        JSON.stringify({ level: 'error', error: `${key} in KV cannot be read`, cause: String(thrown) }),
      )
      return null
    }
  }

  function forgetTexts(): void {
    unreadable.clear()
    refused.clear()
  }

  async function put(kv: KVNamespace, key: string, packed: string, options: KVNamespacePutOptions) {
    await kv.put(key, packed, options)
    unreadable.delete(key)
  }

  return { unreadable, forgetTexts, openKept, put }
}

/** The books of a source in KV and D1. */
function keptBooks<Data extends Versioned, Book>(source: BookSource<Data, Book>, dropCopies: () => void) {
  const { name } = source
  /** The current book itself, so that a cold isolate needs one read. Its metadata contain its stamp. */
  const CURRENT = nowKey(name)
  const POINTER = pointerKey(name)
  const { unreadable, forgetTexts, openKept, put } = textsOfBooks(source, dropCopies)
  const keyOf = (stamp: string) => `${name}:${stamp}`

  /** The book with a stamp; null if KV has none that can be read, so that the caller reads D1. */
  async function withStamp(kv: KVNamespace, stamp: string): Promise<Book | null> {
    const packed = await kv.get(keyOf(stamp)).catch(() => null)
    return packed === null ? null : openKept(keyOf(stamp), packed)
  }

  /** Keeps data by their version, and returns them packed. If KV is down, the next isolate tries again. */
  async function keep(kv: KVNamespace, data: Data): Promise<string> {
    const packed = source.pack(data)
    await put(kv, keyOf(data.version), packed, { expirationTtl: KEPT_SECONDS }).catch(noAnswer)
    return packed
  }

  /** The pointer comes last, so that it never names a book that KV does not have. */
  async function makeCurrent(kv: KVNamespace, packed: string, stamp: string): Promise<void> {
    await put(kv, CURRENT, packed, { metadata: { stamp } })
    await kv.put(POINTER, stamp)
    // Nothing points to the book before any more.
    forgetTexts()
  }

  async function publish(kv: KVNamespace, stamp: string, data: Data, seconds = KEPT_SECONDS): Promise<void> {
    const packed = source.pack(data)
    await put(kv, keyOf(stamp), packed, { expirationTtl: seconds })
    await makeCurrent(kv, packed, stamp)
  }

  return {
    pointer: (kv: KVNamespace) => kv.get(POINTER),

    /** The current book, as this location knows it; null: KV does not have it, or it cannot be read. */
    async current(kv: KVNamespace): Promise<Stamped<Book> | null> {
      const found = await kv
        .getWithMetadata<{ stamp: string }>(CURRENT, { type: 'text', cacheTtl: CACHE_SECONDS })
        .catch(() => null)
      const packed = found?.value ?? null
      const book = packed === null ? null : openKept(CURRENT, packed)
      return book === null ? null : { book, stamp: found?.metadata?.stamp ?? '' }
    },

    /** The book that the pointer names, else the newest one in D1, which is then published. */
    async newest(env: Bindings, pointer: string | null | undefined): Promise<Stamped<Book>> {
      const named = pointer ? await withStamp(env.KV, pointer) : null
      if (pointer && named !== null) return { book: named, stamp: pointer }
      const data = await source.read(env.DB, null)
      if (data === null) return { book: source.none(), stamp: '' }
      const packed = await keep(env.KV, data)
      if (pointer !== undefined) await makeCurrent(env.KV, packed, data.version).catch(() => undefined)
      return { book: source.open(data), stamp: data.version }
    },

    async ofVersion(env: Bindings, version: string): Promise<Book | null> {
      const found = await withStamp(env.KV, version)
      if (found !== null) return found
      const data = await source.read(env.DB, version)
      if (data === null) return null
      await keep(env.KV, data)
      return source.open(data)
    },

    /** Copies a book to the key that cold isolates read, if KV has none there that can be read. */
    async makeCurrentAgain(kv: KVNamespace, stamp: string): Promise<void> {
      const found = await kv.get(CURRENT)
      if (found !== null && openKept(CURRENT, found) !== null) return
      const packed = await kv.get(keyOf(stamp))
      if (packed !== null) await put(kv, CURRENT, packed, { metadata: { stamp } })
    },

    publish,
    unreadable,
    forgetTexts,
  }
}

/** A location may have an old pointer beside a newer book. Later, an older pointer is right. */
function isOfBefore(pointer: string | null, { stamp, since }: Copy<unknown>, now: Date): boolean {
  return pointer !== null && pointer < stamp && now.getTime() - since < POINTER_LAG_MS
}

function copyAt<Book>(now: Date, { book, stamp }: Stamped<Book>): Copy<Book> {
  const time = now.getTime()
  return { book, stamp, since: time, checked_at: time, asked_at: time }
}

function noAnswer(): void {}
