import { readFile } from '../api.js'

/**
 * Saves a file of the API. The key is sent in a header: it is never part of an address.
 * @param {string} path
 * @param {Record<string, string | null>} query null omits a part
 * @param {string} name of the file, if the service gives it none
 */
export async function download(path, query, name) {
  const { file, name: given } = await readFile(path, query)
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = given ?? name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
