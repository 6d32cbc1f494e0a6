import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many entries of the outbox are read at once. */
const ENTRIES_MAX = 1_000

/** Keeps shops and their secrets in a folder, a file each that only its owner can read. */
export function fileShops(folder) {
  const file = (id) => join(folder, `${encodeURIComponent(id)}.json`)
  return {
    get: (id) => read(file(id)),
    put: (shop) => write(folder, file(shop.id), shop),
    delete: (id) => rm(file(id), { force: true }),
  }
}

/** Keeps sales and refunds that are not in the books yet in a folder, a file each. */
export function fileOutbox(folder) {
  const file = (id) => join(folder, `${encodeURIComponent(id)}.json`)
  return {
    put: async (entry) => {
      if ((await read(file(entry.id))) === undefined)
        await write(folder, file(entry.id), { put_at: Date.now(), entry })
    },
    list: async () => {
      await mkdir(folder, { recursive: true })
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).slice(0, ENTRIES_MAX)
      const kept = await Promise.all(names.map((name) => read(join(folder, name))))
      const there = kept.filter((each) => each !== undefined)
      return there.sort((one, other) => one.put_at - other.put_at).map(({ entry }) => entry)
    },
    delete: (id) => rm(file(id), { force: true }),
  }
}

async function read(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A crash leaves the old file or the new one, never half of it. */
async function write(folder, path, value) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${crypto.randomUUID()}`
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 })
  await rename(draft, path)
}
