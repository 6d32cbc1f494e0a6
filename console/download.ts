import { type Query, readFile } from './api.ts'

/**
 * Saves a file of the API. The key is sent in a header: it is never part of an address. `name` is that of the
 * file, if the service gives it none. Throws a Failure.
 */
export async function download(path: string, query: Query, name: string): Promise<void> {
  const { file, name: given } = await readFile(path, query)
  follow(file, (link) => {
    link.download = given ?? name
  })
}

/**
 * Opens a PDF of the API in a tab of its own. A script in a PDF can show messages: Chromium's viewer runs it,
 * and does not start in a sandboxed frame. So the console frames no PDF. The new tab has no way back to the
 * console, and the type is set here: whatever the file contains, it is never a page. Throws a Failure.
 */
export async function openPdf(path: string): Promise<void> {
  const { file } = await readFile(path, {})
  follow(new Blob([file], { type: 'application/pdf' }), (link) => {
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  })
}

function follow(file: Blob, prepare: (link: HTMLAnchorElement) => void): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  prepare(link)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
