import { type Query, readFile } from './api.ts'

/**
 * Saves a file of the API. The key is sent in a header: it is never part of an address. `name` is that of the
 * file, if the service gives it none. Throws a Failure.
 */
export async function download(path: string, query: Query, name: string): Promise<void> {
  const { file, name: given } = await readFile(path, query)
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = given ?? name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
