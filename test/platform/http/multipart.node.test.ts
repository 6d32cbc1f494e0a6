import { expect, it } from 'vitest'
import { type FormParts, partsOf, readAtMost } from '../../../src/platform/http/multipart.ts'

const TYPE = 'multipart/form-data; boundary=line'
const bytesOf = (text: string) => Uint8Array.from(new TextEncoder().encode(text))
const textOf = (parts: FormParts | null) =>
  parts && Object.fromEntries([...parts].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]))
const part = (name: string, content: string) =>
  `--line\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
const read = (text: string, type: string | null = TYPE) => textOf(partsOf(bytesOf(text), type))

it('reads what a browser sends, files with all of their bytes', async () => {
  const file = Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256)
  const form = new FormData()
  form.set('number', 'ä "1"')
  form.set('file', new Blob([file]), '../../name"; name="other.pdf')
  form.set('last', '')
  const sent = new Response(form)
  const type = sent.headers.get('Content-Type')
  const parts = partsOf(new Uint8Array(await sent.arrayBuffer()), type)
  expect(parts?.get('file')).toEqual(file)
  expect([...(parts?.keys() ?? [])]).toEqual(['number', 'file', 'last'])
  expect(new TextDecoder().decode(parts?.get('number'))).toBe('ä "1"')
})

it('keeps delimiters that are not whole, and line breaks, in the content', () => {
  const content = '\r\n--lin\r\n\r\r\n-\r\n--'
  expect(read(`${part('a', content)}--line--\r\n`)).toEqual({ a: content })
})

it('leaves out what is cut off, and keeps the fields before it', () => {
  expect(read(`${part('a', '1')}${part('b', '2').slice(0, -2)}`)).toEqual({ a: '1' })
})

it.each([
  ['another type', part('a', '1'), 'application/x-www-form-urlencoded'],
  ['no type', part('a', '1'), null],
  ['no boundary', part('a', '1'), 'multipart/form-data'],
  ['another boundary', part('a', '1'), 'multipart/form-data; boundary=other'],
  ['nothing', '', TYPE],
  ['a name twice', `${part('a', '1')}${part('a', '2')}--line--`, TYPE],
  ['a part without a name', '--line\r\nContent-Disposition: form-data\r\n\r\n1\r\n--line--', TYPE],
  [
    'a name with a line break',
    '--line\r\nContent-Disposition: form-data; name="a\r\nb"\r\n\r\n1\r\n--line--',
    TYPE,
  ],
  ['headers without an end', `--line\r\nX: ${'x'.repeat(5_000)}\r\n--line--`, TYPE],
  [
    'too many headers',
    `--line\r\nX: ${'x'.repeat(5_000)}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--line--`,
    TYPE,
  ],
  [
    'ten thousand parts',
    `${Array.from({ length: 10_000 }, (_, n) => part(`p${n}`, '1')).join('')}--line--`,
    TYPE,
  ],
])('refuses a body with %s', (_, text, type) => {
  expect(read(text, type)).toBeNull()
})

it('does not search for long in a body that is made of beginnings of the delimiter', () => {
  const body = bytesOf(`${part('a', '\r\n--lin'.repeat(700_000))}--line--`)
  const started = performance.now()
  expect(partsOf(body, TYPE)?.size).toBe(1)
  // A search that looks at each byte again for each byte would take hours.
  expect(performance.now() - started).toBeLessThan(30_000)
})

const streamOf = (size: number, stated?: number) =>
  new Request('https://service.test/', {
    method: 'POST',
    body: new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(1_000))
        sent += 1_000
        if (sent >= size) controller.close()
      },
    }),
    ...(stated !== undefined && { headers: { 'Content-Length': String(stated) } }),
    duplex: 'half',
  } as RequestInit)
let sent = 0

it.each([
  { name: 'that states no length', stated: undefined },
  { name: 'that states a shorter length', stated: 10 },
  { name: 'that states a longer length', stated: 1e12 },
  { name: 'that states no number', stated: Number.NaN },
])('reads no more than it may of a body $name', async ({ stated }) => {
  sent = 0
  const { bytes, whole } = await readAtMost(streamOf(1_000_000, stated), 5_500)
  expect(whole).toBe(false)
  expect(bytes.length).toBeLessThanOrEqual(5_500)
  expect(sent).toBeLessThan(10_000)
})

it('reads a short body whole', async () => {
  sent = 0
  const { bytes, whole } = await readAtMost(streamOf(2_000), 5_500)
  expect([bytes.length, whole]).toEqual([2_000, true])
})
